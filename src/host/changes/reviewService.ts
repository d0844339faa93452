import type { ChangeView } from '../../protocol/changeView';
import type { Entry } from '../../changes/entry';
import type { Change } from '../../changes/hunk';
import type { WriteStep } from '../../changes/writeSteps';
import { whileWriting } from '../files/whileWriting';
import type { ChangeRecorder, PreparedWrite } from '../files/workspaceFiles';
import { BeforeImageRecorder, type RecorderOptions } from './beforeImageRecorder';
import type { TurnMark, UnsavedWrite } from './stored/beforeImages';
import { type DecisionOptions, Decisions } from './decisions';
import { eachFile } from './eachFile';
import { ReviewedFiles, type ReviewedFilesOptions } from './reviewedFiles';
import type { SavedReview } from './reviewStore';
import { type ContentInHand, contentOfText, textIn } from '../storage/contentInHand';
import { isSameForm } from '../../changes/textForm';
import { isFormChange } from '../../changes/wholeChange';
import type { AgentChanges } from './disk/agentChanges';

export interface ReviewServiceOptions extends RecorderOptions, DecisionOptions, ReviewedFilesOptions {
  /** The running or the last turn of a session, by the id of the entry with which it began. */
  readonly turnOf: (sessionId: string) => string | undefined;
  /** True for a protected file: its changes stay pending until the user decides on it separately. */
  readonly isGuarded: (path: string) => boolean;
}

/**
 * Records the files that agents changed and the user has not kept yet. It decides nothing itself; `Ledger` has the
 * rules.
 */
export class ReviewService extends ReviewedFiles implements AgentChanges, ChangeRecorder {
  /** Stores the content of files before it is replaced, and restores it. */
  readonly recorder: BeforeImageRecorder;
  /** Applies Keep and Undo. */
  readonly decisions: Decisions;

  constructor(private readonly options: ReviewServiceOptions) {
    super(options);
    this.recorder = new BeforeImageRecorder(options, this);
    this.decisions = this.register(new Decisions(options, this, this.recorder));
  }

  /** All entries, to be saved for the next window. */
  get saved(): SavedReview {
    return new Map([...this.sessions].map(([id, { ledger }]) => [id, ledger.saved]));
  }

  /**
   * Restores the saved entries of an earlier window and compares them with the present files.
   * @param catchUp finds later changes of agents; resolves to writes that may or may not have happened.
   */
  async restore(saved: SavedReview, catchUp: () => Promise<readonly UnsavedWrite[]> = async () => []): Promise<void> {
    for (const [sessionId, entries] of saved) this.ledger(sessionId).restore(entries);
    for (const sessionId of saved.keys()) this.publish(sessionId);
    const unsaved = await catchUp();
    for (const write of unsaved) await this.recorder.recover(write);
    for (const { sessionId } of unsaved) this.publish(sessionId);
    for (const [sessionId, entries] of saved) {
      await eachFile(
        [...entries.keys()].map((path) => ({ path })),
        () => true,
        ({ path }) => this.takeOverIn(sessionId, path),
      );
      this.publish(sessionId);
    }
  }

  /** Unreviewed changes of a session, in the order in which the files were first changed. */
  changes(sessionId: string): ChangeView[] {
    return this.tracked(sessionId).map((change) =>
      changeView(change, this.labelOf(sessionId, change.path), this.options.isGuarded(change.path)),
    );
  }

  async prepareWrite(sessionId: string, path: string, before: ContentInHand): Promise<PreparedWrite> {
    if (before.kind === 'text' && before.bytes && before.form?.ends === 'mixed')
      await this.options.contents?.originals.storeNow(path, before.text, { bytes: before.bytes, mode: undefined });
    const heard = await this.recorder.prepare(sessionId, path, before);
    return {
      abandon: () => heard(true),
      record: (write) => this.#recordWrite(sessionId, path, before, write).finally(() => heard()),
    };
  }

  async #recordWrite(
    sessionId: string,
    path: string,
    before: ContentInHand,
    write: () => Promise<readonly WriteStep[]>,
  ): Promise<readonly WriteStep[]> {
    try {
      return await whileWriting(this.follow(sessionId), path, async () => {
        const steps = await write();
        let standing = before;
        for (const { by, text } of steps) {
          if (by === 'agent') this.#tell(sessionId, path, standing, text);
          else this.recordEdit(path, text);
          standing = contentOfText(text);
        }
        // Text that was typed meanwhile is on disk only as far as the save included it, and it is known to be the
        // user's.
        this.disk.wrote(path, contentOfText(steps.findLast(({ by }) => by === 'agent')?.text));
        return steps;
      });
    } finally {
      this.publish(sessionId, [path]);
    }
  }

  /**
   * Records a change of an agent, after it happened: as hunks if both sides are text, otherwise as a whole. A change of
   * the storage form is recorded as a whole beside the hunks. This is the entry point for new sources of changes.
   * @param before undefined if it is unknown.
   * @param mark the turn in which it happened, which may be over; absent: the last one
   */
  record(
    sessionId: string,
    path: string,
    before: ContentInHand | undefined,
    after: ContentInHand,
    mark?: TurnMark,
  ): void {
    if (before) this.options.contents?.renames.note(path, tellApart(before), tellApart(after));
    const whole = this.entry(sessionId, path)?.whole;
    const isText = before && before.kind !== 'binary' && after.kind !== 'binary';
    if (!isText || (whole && !isFormChange(whole))) return this.recordWhole(sessionId, path, before, after, mark);
    this.recordChange(sessionId, path, before, after, mark);
    if (!isSameForm(before, after)) this.recordWhole(sessionId, path, before, after, mark);
  }

  /**
   * Records a change that the agent made, after it happened.
   * @param before the text just before, or no file
   * @param after the text just after, or no file
   * @param mark the turn in which it happened, which may be over; absent: the last one
   */
  recordChange(sessionId: string, path: string, before: ContentInHand, after: ContentInHand, mark?: TurnMark): void {
    this.#tell(sessionId, path, before, textIn(after), mark);
    this.publish(sessionId, [path]);
  }

  /**
   * Records that an agent changed a file as a whole, after it happened.
   * @param before undefined if it is not known.
   * @param mark see `recordChange`
   */
  recordWhole(
    sessionId: string,
    path: string,
    before: ContentInHand | undefined,
    after: ContentInHand,
    mark?: TurnMark,
  ): void {
    this.recorder.replaced(sessionId, path, before, after, { turn: this.options.turnOf(sessionId), ...mark });
    this.publish(sessionId, [path]);
  }

  /** Records a change on disk by someone other than an agent. */
  recordEdit(path: string, text: string | undefined): void {
    for (const [sessionId, { ledger }] of this.sessions) {
      if (!ledger.has(path)) continue;
      ledger.edited(path, text);
      this.publish(sessionId, [path]);
    }
  }

  /** Makes kept changes of a file pending again. @param kept `entry` from before Keep */
  async takeBack(sessionId: string, path: string, kept: Entry): Promise<void> {
    this.ledger(sessionId).takeBack(path, kept);
    await this.takeOverIn(sessionId, path);
    this.publish(sessionId, [path]);
  }

  /** Forgets the changes of a session; the files stay as they are. */
  disposeSession(sessionId: string): void {
    this.session(sessionId)?.ledger.clear();
    this.publish(sessionId);
    this.sessions.delete(sessionId);
    this.options.baselines.deleteAll(sessionId);
  }

  /** Records one change of one agent. */
  #tell(sessionId: string, path: string, before: ContentInHand, after: string | undefined, mark?: TurnMark): void {
    this.recorder.changed(sessionId, path, before, after, mark);
    this.ledger(sessionId).agentWrote(
      path,
      textIn(before),
      after,
      (mark ?? { turn: this.options.turnOf(sessionId) }).turn,
    );
    this.tellOthers(sessionId, path, after);
  }
}

/** A text that identifies a content. Empty texts all give "", because they cannot be told apart. */
function tellApart(content: ContentInHand): string | undefined {
  return content.kind === 'absent' ? undefined : content.kind === 'text' && content.text === '' ? '' : content.digest;
}

/** A change of one file as a row of a list. @param guarded true for a protected file */
function changeView(
  { path, kind, added, removed, hunks, note, beside, cannotUndo }: Change,
  label: string,
  guarded: boolean,
): ChangeView {
  const conflicts = hunks.filter(({ state }) => state === 'conflicted').length;
  const whole = {
    ...(note === undefined ? {} : { note }),
    ...(beside === undefined ? {} : { beside }),
    ...(cannotUndo ? { cannotUndo } : {}),
  };
  return {
    path,
    label,
    kind,
    added,
    removed,
    hunks: hunks.length,
    conflicts,
    ...whole,
    ...(guarded ? { guarded } : {}),
  };
}
