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
  /** Asks before the user loses something of their own ("Delete"). */
  readonly confirm: (message: string, action: string) => Promise<boolean>;
  /** Shows the user what failed. */
  readonly report: (message: string) => void;
  /** Called when a file is as it was before the agent's change. */
  readonly undone: (sessionId: string, path: string) => void;
}

/**
 * Records and undoes changes of files as a whole: of binary files, of permissions, and of files with an unknown baseline.
 * They are in the ledger like other changes. Undo writes the kept bytes, or says why it cannot.
 */
export class WholeChanges {
  constructor(private readonly options: WholeChangesOptions) {}

  /** The agent of a session changed a file. @param before undefined if it is not known */
  record(sessionId: string, path: string, before: FileContent | undefined, after: FileContent): void {
    const { kept, recorder, ledger, turnOf } = this.options;
    const snapshot = before && kept.keep(before, this.pending());
    recorder.changedWhole(sessionId, path, snapshot && { snapshot, text: before.kind === 'text' ? before.text : undefined }, snapshotOf(after));
    ledger(sessionId).agentReplaced(path, snapshot, snapshotOf(after), turnOf(sessionId));
  }

  /** Undoes changes. Asks first if someone changed a file since, and saves what it contains now. */
  async undo(sessionId: string, paths: readonly string[]): Promise<void> {
    const { WholeUndo } = await import('./wholeUndo');
    await new WholeUndo(sessionId, this.options).run(paths);
  }

  private *pending() {
    for (const ledger of this.options.ledgers()) for (const { whole } of ledger.saved.values()) if (whole) yield whole;
  }
}
