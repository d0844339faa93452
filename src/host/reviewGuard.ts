import type { Ledger } from '../review/ledger';
import { withLineFeeds } from '../review/lineEdits';
import type { Checkpoints, FileMoment } from './checkpoints';
import type { UnsavedWrite } from './reviewStore';

export interface GuardOptions {
  /** Where each session can go back to. */
  readonly checkpoints?: Pick<Checkpoints, 'before' | 'changed' | 'keep'>;
  /** Puts on disk what a write is about to take the place of; the result is called when the review knows of the write. */
  readonly announce?: (sessionId: string, path: string, before: string | undefined) => Promise<() => void>;
}

/** The files and what is known of them, as `ReviewService` has them. */
export interface GuardedFiles {
  ledger(sessionId: string): Ledger;
  /** What stands in a file, unsaved text included; undefined where there is none. @throws Error where it is no text. */
  currentText(path: string): Promise<string | undefined>;
  /** Looks once more at files before they are brought back. */
  lookAgain(paths: readonly string[]): Promise<void>;
  /** Writes a file through its document. @returns what stands there then. @throws Error where it cannot be written. */
  put(sessionId: string, path: string, text: string | undefined): Promise<string | undefined>;
  /** A file was brought back. */
  told(sessionId: string, path: string, text: string | undefined): void;
}

/** Sees to it that what stands in a file is on disk before an agent, or Undo, takes its place; and brings it back. */
export class ReviewGuard {
  /** Writes that were announced and not heard of yet, by session and path. */
  private readonly announced = new Map<string, () => void>();

  constructor(
    private readonly options: GuardOptions,
    private readonly files: GuardedFiles,
  ) {}

  lookAgain(paths: readonly string[]): Promise<void> {
    return this.files.lookAgain(paths);
  }

  /** A file as it stands, with what waits in it. @throws Error where it cannot be read as text. */
  async standing(sessionId: string, path: string): Promise<FileMoment> {
    return this.moment(sessionId, path, await this.files.currentText(path));
  }

  /** The same of a file that holds `text`; what differs from what was known of it is the person's. */
  private moment(sessionId: string, path: string, text: string | undefined): FileMoment {
    const ledger = this.files.ledger(sessionId);
    ledger.edited(path, text);
    return { text, entry: ledger.saved.get(path) };
  }

  /** Brings a file back to how it stood. @returns what stands there then. @throws Error where it cannot be written. */
  async bringBack(sessionId: string, path: string, { text, entry }: FileMoment): Promise<string | undefined> {
    const after = await this.files.put(sessionId, path, text);
    const ledger = this.files.ledger(sessionId);
    ledger.put(path, entry);
    ledger.edited(path, after);
    this.files.told(sessionId, path, after);
    return after;
  }

  /** A write of an agent is about to be carried out. */
  async prepare(sessionId: string, path: string, before: string | undefined): Promise<void> {
    const { announce, checkpoints } = this.options;
    const [told] = await Promise.all([announce?.(sessionId, path, before), checkpoints?.before(sessionId, path, this.moment(sessionId, path, before))]);
    this.heard(sessionId, path);
    if (told) this.announced.set(keyOf(sessionId, path), told);
  }

  /** The review knows what became of a write. */
  heard(sessionId: string, path: string): void {
    this.announced.get(keyOf(sessionId, path))?.();
    this.announced.delete(keyOf(sessionId, path));
  }

  /** An agent has changed a file; to be told before the ledger is. */
  changed(sessionId: string, path: string, before: string | undefined, after: string | undefined): void {
    this.options.checkpoints?.changed(sessionId, path, this.moment(sessionId, path, before), after);
  }

  /** Undo is about to delete a file. @throws Error where it could not be kept. */
  async deleting(sessionId: string, path: string): Promise<void> {
    const moment = await this.standing(sessionId, path);
    if (moment.text !== undefined) await this.options.checkpoints?.keep(sessionId, 'undo', new Map([[path, moment]]));
  }

  /** Takes over a write that the review did not hear of before the window ended. */
  async recover({ sessionId, path, before }: UnsavedWrite): Promise<void> {
    const ledger = this.files.ledger(sessionId);
    const same = (a: string | undefined, b: string | undefined) => (a && withLineFeeds(a)) === (b && withLineFeeds(b));
    const now = await this.files.currentText(path).catch(() => before);
    // What was kept of the file is newer than this write, or nothing has come of it.
    if (same(before, now) || (ledger.saved.has(path) && !same(before, ledger.current(path)))) return;
    ledger.agentWrote(path, before, now, { origin: 'editorWrite' });
  }
}

function keyOf(sessionId: string, path: string): string {
  return `${sessionId} ${path}`;
}
