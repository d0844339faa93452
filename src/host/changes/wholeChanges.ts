import type { Ledger } from '../../changes/ledger';
import { snapshotOf } from './checkpoints/snapshots';
import type { FileContent } from './disk/diskContent';
import type { KeptFiles } from './keptFiles';
import type { BeforeImageRecorder } from './beforeImageRecorder';

export interface WholeChangesOptions {
  readonly kept: KeptFiles;
  readonly recorder: Pick<BeforeImageRecorder, 'changedWhole' | 'replacing'>;
  readonly ledger: (sessionId: string) => Ledger;
  /** Those of all sessions. */
  readonly ledgers: () => Iterable<Ledger>;
  /** The turn of a session that runs, or that ran last; see `Hunk.turn`. */
  readonly turnOf: (sessionId: string) => string | undefined;
  /** Asks before something of the person's own goes ("Delete"). */
  readonly confirm: (message: string, action: string) => Promise<boolean>;
  /** Tells the person what could not be done. */
  readonly report: (message: string) => void;
  /** A file is as it was before the agent. */
  readonly undone: (sessionId: string, path: string) => void;
}

/**
 * Records and undoes changes of files as a whole: of binary files, of permissions, and of files of which nobody knows what
 * they held before. They are in the ledger beside the others. Undo brings the bytes back where they were kept, else it says why not.
 */
export class WholeChanges {
  constructor(private readonly options: WholeChangesOptions) {}

  /** A file was changed by the agent of a session. @param before undefined where nobody knows what it was */
  record(sessionId: string, path: string, before: FileContent | undefined, after: FileContent): void {
    const { kept, recorder, ledger, turnOf } = this.options;
    const snapshot = before && kept.keep(before, this.waiting());
    recorder.changedWhole(sessionId, path, snapshot && { snapshot, text: before.kind === 'text' ? before.text : undefined }, snapshotOf(after));
    ledger(sessionId).agentReplaced(path, snapshot, snapshotOf(after), turnOf(sessionId));
  }

  /** Brings back what was there, after a question where someone has changed a file since. What stands there is kept before. */
  async undo(sessionId: string, paths: readonly string[]): Promise<void> {
    const { WholeUndo } = await import('./wholeUndo');
    await new WholeUndo(sessionId, this.options).run(paths);
  }

  private *waiting() {
    for (const ledger of this.options.ledgers()) for (const { whole } of ledger.saved.values()) if (whole) yield whole;
  }
}
