import * as l10n from '@vscode/l10n';
import type { Logger } from '../../../base/log';
import { OneByOne } from '../../../base/oneByOne';
import type { Version } from '../../../changes/checkpointLog';
import { savedEntry } from '../../../changes/decodeSaved';
import { hasLines, noLines } from '../../../changes/entry';
import { type HeldSnapshot, keptBefore, type KeptBytes } from '../../../changes/wholeChange';
import { BlobFolder } from '../../storage/blobFolder';
import type { StoreFiles } from '../../storage/storeFiles';
import { ByteFolder, MAX_KEPT_BYTES } from '../../storage/byteFolder';
import type { FileMoment } from './fileMoment';

/** Moments of the files of one session: their texts, and the bytes of files that are no text, in one folder. */
export class MomentStore extends BlobFolder {
  readonly bytes: ByteFolder;
  /** Bytes are copied one file after the other. */
  readonly #copies = new OneByOne();

  constructor(folder: string, files: StoreFiles, log: Logger) {
    super(folder, files);
    this.bytes = new ByteFolder(folder, log, files);
  }

  /**
   * Keeps a moment of a file.
   * @param waiting where bytes lie that changes without lines wait with.
   * @throws Error where it cannot be kept, or where the file at `path` is not any more what the moment says.
   */
  async keep(path: string, moment: FileMoment, waiting: ByteFolder | undefined): Promise<Version> {
    const { text, entry, whole, mode, isUnknown } = moment;
    // Beside the blob of the entry, because the log says which bytes are needed.
    const waits = entry?.whole;
    const kept = waits && keptBefore(waits);
    if (kept) await this.#copy(kept, waiting);
    return {
      text: text === undefined ? null : await this.put(text),
      review: entry && hasLines(entry) ? await this.put(waits ? { ...entry, whole: undefined } : entry) : null,
      whole: whole && (await this.#keptWhole(path, whole, waiting)),
      mode,
      waits,
      isUnknown,
    };
  }

  /** The moment again. @throws Error where it cannot be read. */
  async read(version: Version): Promise<FileMoment> {
    const text = version.text === null ? undefined : await this.get(version.text);
    if (text !== undefined && typeof text !== 'string') throw new Error(l10n.t('its stored copy is damaged'));
    const lines = version.review === null ? undefined : savedEntry(await this.get(version.review));
    const { whole, mode, waits, isUnknown } = version;
    const entry = waits ? { ...(lines ?? noLines), whole: waits } : lines;
    return { text, entry, whole, mode, isUnknown };
  }

  async #keptWhole(path: string, whole: HeldSnapshot, waiting: ByteFolder | undefined): Promise<HeldSnapshot> {
    if (whole.isLost) return whole;
    if (whole.kept) {
      await this.#copy(whole.kept, waiting);
      return whole;
    }
    const kept = await this.#copies.run('', () => this.bytes.take(path, MAX_KEPT_BYTES));
    if (!kept) throw new Error(l10n.t('it is too large to back up (over 50 MB)'));
    if (kept.name !== whole.digest) throw new Error(l10n.t('it was changed at the same time'));
    return { ...whole, kept };
  }

  async #copy(kept: KeptBytes, waiting: ByteFolder | undefined): Promise<void> {
    if (waiting) await this.#copies.run('', () => this.bytes.takeFrom(waiting, kept));
  }
}
