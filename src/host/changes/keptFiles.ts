import * as l10n from '@vscode/l10n';
import type { Logger } from '../../base/log';
import { withLineFeeds } from '../../changes/lineFeeds';
import { Renames } from '../../changes/movedFiles';
import { keptBefore, type Snapshot, type WholeChange } from '../../changes/wholeChange';
import { ByteFolder } from '../storage/byteFolder';
import type { StoreFiles } from '../storage/storeFiles';
import { heldIn } from './checkpoints/fileMoment';
import type { FileContent } from './disk/diskContent';
import { Originals, type Saving } from './originals';
import type { WholeFiles } from './wholeFiles';

/** For all pending changes together. Bytes. */
const MAX_KEPT_TOTAL = 500 * 1024 * 1024;

export interface KeptFilesOptions {
  /** The folder of the bytes; absolute. */
  readonly folder: string;
  readonly files: WholeFiles;
  readonly saving: Saving;
  readonly log: Logger;
  /** The disk; a test has its own. */
  readonly disk?: StoreFiles | undefined;
  /** The limit for all pending changes together, in bytes. */
  readonly maxTotal?: number;
}

/**
 * What the review keeps of files beside their lines: bytes, permissions and moves. The saved review names the bytes.
 */
export class KeptFiles {
  readonly renames = new Renames();
  readonly bytes: ByteFolder;
  /** The bytes of text files that encoding the text again does not give. */
  readonly originals: Originals;
  /** Called after each write or change of permissions by Parley itself. */
  wrote: (path: string, content: FileContent) => void = () => undefined;

  readonly files: WholeFiles;

  constructor(private readonly options: KeptFilesOptions) {
    const { folder, files, log, disk, saving } = options;
    this.files = files;
    this.bytes = new ByteFolder(folder, log, disk);
    this.originals = new Originals(this.bytes, saving);
  }

  /**
   * A snapshot of a file with its bytes, or without them if too many are kept already.
   * @param pending all pending changes
   */
  keep(content: FileContent, pending: Iterable<WholeChange>): Snapshot {
    if (content.kind === 'absent') return content;
    const snapshot = heldIn(content);
    const bytes = content.bytes ?? (content.kind === 'text' ? Buffer.from(content.text) : undefined);
    const copy = content.kind === 'binary' ? content.copy : undefined;
    const kept = [...pending].flatMap((whole) => keptBefore(whole) ?? []);
    const sizes = new Map(kept.map(({ name, size }) => [name, size]));
    const total = [...sizes.values()].reduce((sum, size) => sum + size, bytes?.length ?? copy?.size ?? 0);
    if (total > (this.options.maxTotal ?? MAX_KEPT_TOTAL)) return snapshot;
    if (bytes) return { ...snapshot, kept: this.bytes.put(bytes), isDecoded: content.bytes ? undefined : true };
    if (!copy) return snapshot;
    const copied = { name: snapshot.digest, size: copy.size };
    try {
      this.bytes.adoptSync(copy.file, copied);
      return { ...snapshot, kept: copied };
    } catch {
      // The change is still listed, but it cannot be undone.
      return snapshot;
    }
  }

  /** Keeps the bytes that undo a change on disk, pending or not, until the result is called. */
  hold(whole: WholeChange): () => void {
    const kept = keptBefore(whole);
    return kept ? this.bytes.hold(kept) : () => undefined;
  }

  /**
   * A change will be pending again, and its bytes are in another folder. Call it between `hold` and what is called once
   * it is.
   */
  async takeFrom(bytes: ByteFolder, whole: WholeChange): Promise<void> {
    const kept = keptBefore(whole);
    if (kept) await this.bytes.takeFrom(bytes, kept);
  }

  /**
   * Writes this content, or deletes the file.
   * @param now what it holds
   * @param bytes the folder of its bytes
   * @throws Error if that fails
   */
  async put(path: string, snapshot: Snapshot, now: Snapshot, bytes: ByteFolder = this.bytes): Promise<void> {
    this.wrote(path, await this.files.put(path, snapshot, now, bytes));
  }

  /** Writes a text where a binary file is now. @param now what it holds */
  async putText(path: string, text: string, now: Snapshot): Promise<void> {
    await this.files.putText(path, (await this.originals.get(path, text))?.bytes ?? text, now);
    this.wrote(path, { kind: 'text', text: withLineFeeds(text) });
  }

  /** Stores the text of a file as these bytes store theirs. @param before what it held, whose bytes are kept */
  async reform(path: string, before: Snapshot): Promise<void> {
    const kept = before.kind === 'absent' ? undefined : before.kept;
    if (!kept) throw new Error(l10n.t('its original content was too large to back up'));
    this.wrote(path, await this.files.reform(path, await this.bytes.read(kept)));
  }

  async setProgram(path: string, isProgram: boolean): Promise<void> {
    this.wrote(path, await this.files.setProgram(path, isProgram));
  }
}
