import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import { withLineFeeds } from '../../review/lineEdits';
import type { OpaqueEntry, SavedOpaque, Snapshot } from '../../review/opaqueEntry';
import { Renames } from '../../review/renames';
import type { StoreFiles } from '../storage/blobFolder';
import { type ByteFiles, ByteFolder } from '../storage/byteFolder';
import { OpaqueChanges, type OpaqueChangesOptions } from './opaqueChanges';
import { Originals } from './originals';
import type { WholeBefore, WholeReview } from './reviewGuard';
import type { OpaqueStore } from './opaqueStore';

export interface OpaqueReviewOptions extends Omit<OpaqueChangesOptions, 'bytes' | 'movedFrom' | 'recorded' | 'replacing'> {
  /** Absent: there are no checkpoints. */
  readonly recorder?: WholeRecorder;
  /** Where it is kept over a restart; absolute. */
  readonly folder: string;
  /** The files that wait for review, whether they have lines or not. */
  readonly waiting: () => readonly { readonly path: string }[];
  readonly clock: Clock;
  readonly log: Logger;
  /** The disk; a test has its own. */
  readonly disk?: { readonly bytes: ByteFiles; readonly store: StoreFiles };
}

/** Where what is recorded of such changes goes, and what is kept for them. */
export interface WholeRecorder {
  changedWhole(sessionId: string, path: string, before: WholeBefore | undefined, waits: OpaqueEntry | undefined, after: Snapshot): void;
  replacing(sessionId: string, paths: readonly string[]): Promise<void>;
}

/** The changes without lines and the moves of files, with what keeps both over a restart. */
export class OpaqueReview extends Disposable implements WholeReview {
  readonly renames = new Renames();
  readonly bytes: ByteFolder;
  readonly changes: OpaqueChanges;
  /** Text files byte by byte, where they do not come back from their text. */
  readonly originals: Originals;
  /** Loaded with what was kept. */
  private kept: OpaqueStore | undefined;
  private opening: Promise<void> | undefined;

  constructor(private readonly options: OpaqueReviewOptions) {
    super();
    const { folder, log, recorder, disk } = options;
    this.bytes = new ByteFolder(folder, log, disk?.bytes);
    this.originals = new Originals(this.bytes, this);
    this.changes = this.register(new OpaqueChanges({ ...options, bytes: this.bytes, movedFrom: this.renames.fromOf, ...(recorder ? { recorded: (...change) => recorder.changedWhole(...change), replacing: (...files) => recorder.replacing(...files) } : {}) }));
    this.register(this.changes.onDidChange(() => this.schedule()));
  }

  /** Takes over what was kept, once. To be called when the files with lines are known: a move goes with the last of its files. */
  open(): Promise<void> {
    return (this.opening ??= this.load());
  }

  private async load(): Promise<void> {
    const { folder, clock, log, disk } = this.options;
    const { OpaqueStore } = await import('./opaqueStore');
    if (this.store.isDisposed) return;
    this.kept = this.register(new OpaqueStore(folder, this.bytes, () => this.saved, clock, log, disk?.store));
    await this.kept.open(({ entries, moves, originals }) => {
      this.originals.restore(originals);
      this.renames.restore(moves);
      this.changes.restore(entries);
    });
  }

  private get saved(): SavedOpaque {
    const paths = new Set(this.options.waiting().map(({ path }) => path));
    return { entries: this.changes.saved, moves: new Map([...this.renames.moves].filter(([path]) => paths.has(path))), originals: this.originals.saved };
  }

  /** The person has given a file or a folder another name. */
  moved(from: string, to: string): void {
    this.changes.moved(from, to);
    this.renames.moved(from, to);
  }

  waits(sessionId: string, path: string): OpaqueEntry | undefined {
    return this.changes.get(sessionId, path);
  }

  look(path: string): Promise<Snapshot | undefined> {
    return this.options.files.look(path);
  }

  async setWaits(sessionId: string, path: string, waits: OpaqueEntry | undefined, bytes: ByteFolder): Promise<void> {
    const before = waits?.before;
    const kept = before && before.kind !== 'absent' ? before.kept : undefined;
    if (kept) await this.bytes.takeFrom(bytes, kept);
    this.changes.set(sessionId, path, waits);
  }

  async put(path: string, snapshot: Snapshot, bytes: ByteFolder): Promise<void> {
    this.changes.wrote(path, await this.options.files.put(path, snapshot, bytes));
  }

  async putText(path: string, text: string): Promise<void> {
    await this.options.files.putText(path, (await this.originals.get(path, text))?.bytes ?? text);
    this.changes.wrote(path, { kind: 'text', text: withLineFeeds(text) });
  }

  async setProgram(path: string, isProgram: boolean): Promise<void> {
    this.changes.wrote(path, await this.options.files.setProgram(path, isProgram));
  }

  /** What waits has changed; saves a moment later. */
  schedule(): void {
    this.kept?.schedule();
  }

  /** Saves now, but never before what was kept has been taken over. @throws NotKeptError */
  async save(): Promise<void> {
    await this.opening;
    await this.kept?.save();
  }

  /** For the end of the window, which waits for nothing. */
  flushSync(): void {
    this.kept?.flushSync();
  }
}
