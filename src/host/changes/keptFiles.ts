import type { Logger } from '../../base/log';
import { withLineFeeds } from '../../changes/lineEdits';
import { Renames } from '../../changes/renames';
import { keptBefore, type Snapshot, type WholeChange } from '../../changes/wholeChange';
import { type ByteFiles, ByteFolder } from '../storage/byteFolder';
import { keptSnapshot, sizeToKeep, snapshotOf } from './checkpoints/snapshots';
import type { FileContent } from './disk/diskContent';
import { Originals, type Saving } from './originals';
import type { WholeFiles } from './wholeFiles';

/** Of all files together that wait to be kept or undone. Bytes. */
const MAX_KEPT_TOTAL = 500 * 1024 * 1024;

export interface KeptFilesOptions {
  /** Where the bytes lie; absolute. */
  readonly folder: string;
  readonly files: WholeFiles;
  readonly saving: Saving;
  readonly log: Logger;
  /** The disk; a test has its own. */
  readonly disk?: ByteFiles | undefined;
  /** Bytes that wait at most, of all files together. */
  readonly maxTotal?: number;
}

/** What the review knows of files beside their lines: bytes, permissions and moves. The saved review names the bytes. */
export class KeptFiles {
  readonly renames = new Renames();
  readonly bytes: ByteFolder;
  /** Text files byte by byte, where they do not come back from their text. */
  readonly originals: Originals;
  /** We have written a file ourselves, or changed its permissions. */
  wrote: (path: string, content: FileContent) => void = () => undefined;

  constructor(private readonly options: KeptFilesOptions) {
    const { folder, log, disk, saving } = options;
    this.bytes = new ByteFolder(folder, log, disk);
    this.originals = new Originals(this.bytes, saving);
  }

  /** What a file holds, with its bytes, unless too many are kept already. @param waiting all changes that wait */
  keep(content: FileContent, waiting: Iterable<WholeChange>): Snapshot {
    const sizes = new Map([...waiting].flatMap((whole) => {
      const kept = keptBefore(whole);
      return kept ? [[kept.name, kept.size] as const] : [];
    }));
    const total = [...sizes.values()].reduce((sum, size) => sum + size, sizeToKeep(content) ?? 0);
    return total > (this.options.maxTotal ?? MAX_KEPT_TOTAL) ? snapshotOf(content) : keptSnapshot(content, this.bytes);
  }

  /** The bytes with which a change is undone stay, whether it waits or not, until the result is called. */
  hold(whole: WholeChange): () => void {
    const kept = keptBefore(whole);
    return kept ? this.bytes.hold(kept) : () => undefined;
  }

  /** A change waits again whose bytes lie in another folder. */
  async takeFrom(bytes: ByteFolder, whole: WholeChange | undefined): Promise<void> {
    const kept = whole && keptBefore(whole);
    if (kept) await this.bytes.takeFrom(bytes, kept);
  }

  /** What stands in a file; undefined where that is no regular file. */
  look(path: string): Promise<Snapshot | undefined> {
    return this.options.files.look(path);
  }

  /** @throws Error where an editor of any kind holds work on the file that is not saved. */
  refuseUnsaved(path: string): void {
    this.options.files.refuseUnsaved(path);
  }

  /** Makes a file hold this, or be gone. @param bytes where its bytes are @throws Error where that cannot be done */
  async put(path: string, snapshot: Snapshot, bytes: ByteFolder = this.bytes): Promise<void> {
    this.wrote(path, await this.options.files.put(path, snapshot, bytes));
  }

  /** The same for a text in the place of what is none. */
  async putText(path: string, text: string): Promise<void> {
    await this.options.files.putText(path, (await this.originals.get(path, text))?.bytes ?? text);
    this.wrote(path, { kind: 'text', text: withLineFeeds(text) });
  }

  /** Gives a file another name. @throws Error where something has that name, or it cannot be done. */
  move(from: string, to: string): Promise<void> {
    return this.options.files.move(from, to);
  }

  async setProgram(path: string, isProgram: boolean): Promise<void> {
    this.wrote(path, await this.options.files.setProgram(path, isProgram));
  }
}
