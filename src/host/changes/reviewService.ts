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
  /** The turn of a session that runs, or that ran last, by the id of the entry with which it began. */
  readonly turnOf: (sessionId: string) => string | undefined;
  /** Whether the changes of a file wait until the user decides on just that file. */
  readonly isGuarded: (path: string) => boolean;
}

/**
 * Records which files the agents changed and nobody has agreed to yet. Holds no decision of its own; `Ledger` has the
 * rules.
 */
export class ReviewService extends ReviewedFiles implements AgentChanges, ChangeRecorder {
  /** Stores what stands in files before something takes its place, and brings it back. */
  readonly recorder: BeforeImageRecorder;
  /** Carries out Keep and Undo. */
  readonly decisions: Decisions;

  constructor(private readonly options: ReviewServiceOptions) {
    super(options);
    this.recorder = new BeforeImageRecorder(options, this);
    this.decisions = this.register(new Decisions(options, this, this.recorder));
  }

  /** All that is known, to be saved for the next window. */
  get saved(): SavedReview {
    return new Map([...this.sessions].map(([id, { ledger }]) => [id, ledger.saved]));
  }

  /**
   * Takes over what an earlier window saved, and what has become of the files since.
   * @param catchUp what agents have done since it was saved; resolves to the writes of which nobody knows whether they
   * were carried out.
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
        // What was typed meanwhile is on disk only as far as the save has taken it along, and known as the user's.
        this.disk.wrote(path, contentOfText(steps.findLast(({ by }) => by === 'agent')?.text));
        return steps;
      });
    } finally {
      this.publish(sessionId, [path]);
    }
  }

  /**
   * Records what an agent did to a file, after it happened: as hunks where both sides are text, else as a whole. How a
   * text is stored changes as a whole beside its hunks. The one way in for a new source of changes.
   * @param before undefined if nobody knows what it was.
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

  /** Records what someone else than an agent has made of a file on disk. */
  recordEdit(path: string, text: string | undefined): void {
    for (const [sessionId, { ledger }] of this.sessions) {
      if (!ledger.has(path)) continue;
      ledger.edited(path, text);
      this.publish(sessionId, [path]);
    }
  }

  /** The changes that the user kept in a file are pending again. @param kept `entry` from before */
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

  /** One change of one agent. */
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

/** What tells contents apart. An empty text has nothing by which to know it. */
function tellApart(content: ContentInHand): string | undefined {
  return content.kind === 'absent' ? undefined : content.kind === 'text' && content.text === '' ? '' : content.digest;
}

/** A change of one file as a row of a list. @param guarded it needs its own decision */
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
