import { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { Clock } from '../base/scheduler';
import { Renames } from '../review/renames';
import { ByteFolder } from './byteFolder';
import { OpaqueChanges, type OpaqueChangesOptions } from './opaqueChanges';
import { OpaqueStore } from './opaqueStore';

export interface OpaqueReviewOptions extends Omit<OpaqueChangesOptions, 'bytes'> {
  /** Where it is kept over a restart; absolute. */
  readonly folder: string;
  /** The files that wait for review, whether they have lines or not. */
  readonly waiting: () => readonly { readonly path: string }[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** The changes without lines and the moves of files, with what keeps both over a restart. */
export class OpaqueReview extends Disposable {
  readonly renames = new Renames();
  readonly bytes: ByteFolder;
  readonly changes: OpaqueChanges;
  private readonly kept: OpaqueStore;

  constructor(options: OpaqueReviewOptions) {
    super();
    const { folder, waiting, clock, log } = options;
    this.bytes = new ByteFolder(folder, log);
    this.changes = this.register(new OpaqueChanges({ ...options, bytes: this.bytes }));
    const moves = () => {
      const paths = new Set(waiting().map(({ path }) => path));
      return new Map([...this.renames.moves].filter(([path]) => paths.has(path)));
    };
    this.kept = this.register(new OpaqueStore(folder, this.bytes, () => ({ entries: this.changes.saved, moves: moves() }), clock, log));
    this.register(this.changes.onDidChange(() => this.kept.schedule()));
  }

  /** Takes over what was kept. To be called when the files with lines are known: a move goes with the last of its files. */
  async open(): Promise<void> {
    await this.kept.open(({ entries, moves }) => {
      this.renames.restore(moves);
      this.changes.restore(entries);
    });
  }

  /** The person has given a file or a folder another name. */
  moved(from: string, to: string): void {
    this.changes.moved(from, to);
    this.renames.moved(from, to);
  }

  /** What waits has changed; saves a moment later. */
  schedule(): void {
    this.kept.schedule();
  }

  /** Saves now. */
  save(): Promise<void> {
    return this.kept.save();
  }

  /** For the end of the window, which waits for nothing. */
  flushSync(): void {
    this.kept.flushSync();
  }
}
