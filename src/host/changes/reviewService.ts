import { isSameContent, isSameMode, storedIn } from '../../changes/content';
import type { Entry } from '../../changes/entry';
import type { WriteStep } from '../../changes/writeSteps';
import { whileWriting } from '../files/whileWriting';
import { ChangedMeanwhileError } from '../files/fileOnDisk';
import type { Replaced, Saving } from '../files/replaceContent';
import type { AgentWriter } from '../files/workspaceFiles';
import { BeforeImageRecorder, type ReviewStorage, withModeOf } from './beforeImageRecorder';
import type { TurnMark, UnsavedWrite } from './stored/beforeImages';
import { Decisions } from './decisions';
import type { ReviewContents } from './stored/reviewContents';
import type { UndoDialogs } from './wholeUndo';
import { eachFile } from './eachFile';
import { ReviewedFiles, type ReviewedFilesOptions } from './reviewedFiles';
import type { SavedReview } from './reviewStore';
import { type ContentInHand, contentOfText, textIn } from '../storage/contentInHand';
import { isSameForm } from '../../changes/textForm';
import { isFormChange, isPermissionChange } from '../../changes/wholeChange';
import type { AgentChanges } from './disk/diskAttribution';

export interface ReviewServiceOptions extends Omit<ReviewedFilesOptions, 'contents'> {
  /** Absent: nothing outlives the window. */
  readonly storage?: ReviewStorage;
  readonly dialogs: UndoDialogs;
  /** The running or the last turn of a session, by the id of the entry with which it began. */
  readonly turnOf: (sessionId: string) => string | undefined;
}

/**
 * Records the files that agents changed and the user has not kept yet. It decides nothing itself; `Ledger` has the
 * rules.
 */
export class ReviewService extends ReviewedFiles implements AgentChanges, AgentWriter {
  /** Stores the content of files before it is replaced, and restores it. */
  readonly recorder: BeforeImageRecorder;
  /** Applies Keep and Undo. */
  readonly decisions: Decisions;
  readonly #contents: ReviewContents | undefined;

  constructor(private readonly options: ReviewServiceOptions) {
    const { storage = {}, dialogs, ...place } = options;
    const { contents } = storage;
    super({ ...place, contents });
    this.#contents = contents;
    this.recorder = new BeforeImageRecorder(storage, this);
    this.decisions = this.register(new Decisions({ ...dialogs, contents, log: options.log }, this, this.recorder));
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
      const files = Array.from(entries.keys(), (path) => ({ path }));
      await eachFile(files, ({ path }) => this.takeOverIn(sessionId, path));
      this.publish(sessionId);
    }
  }

  /**
   * Parley writes a file for an agent: gives it another content, or deletes it. What the file contained is on disk
   * before, so a kill at any moment leaves a change that can be reviewed and undone. Changes of the file until the end
   * are attributed to the agent (format on save, too), except for the user's typing.
   * @param expected what the file contains: the text that the user sees, or what is on disk
   * @param saving see `ReplaceOptions`
   * @returns the texts that the file got, in order; none if it has no text now
   * @throws NotStoredError; ChangedMeanwhileError if the file contains something else; Error. Nothing was written then.
   */
  async write(
    sessionId: string,
    path: string,
    expected: ContentInHand,
    next: ContentInHand,
    saving?: Saving,
  ): Promise<readonly WriteStep[]> {
    const contents = this.#contents;
    if (expected.kind === 'text' && expected.bytes && expected.form?.ends === 'mixed')
      await contents?.originals.storeNow(path, expected.text, { bytes: expected.bytes, mode: undefined });
    // The bytes of a large file are not in memory.
    const before =
      expected.kind === 'binary' && !expected.bytes && !expected.stored
        ? { ...expected, stored: storedIn(await contents?.contents.storeFile(path, expected))[0] }
        : expected;
    const heard = await this.recorder.prepare(sessionId, path, before);
    let isAbandoned = false;
    try {
      const { replaceContent } = await import('../files/replaceContent');
      return await whileWriting(this.follow(sessionId), path, async () => {
        const originals = saving ? undefined : contents?.originals;
        const written = await replaceContent(path, before, next, { originals, saving });
        const made = this.#written(sessionId, path, before, next, written);
        // At once: a review that is saved between the two would not know that it includes the write.
        heard();
        return made;
      });
    } catch (error) {
      isAbandoned = error instanceof ChangedMeanwhileError;
      throw error;
    } finally {
      heard(isAbandoned);
      this.publish(sessionId, [path]);
    }
  }

  #written(
    sessionId: string,
    path: string,
    before: ContentInHand,
    next: ContentInHand,
    { content, isOnDisk, steps }: Replaced,
  ): readonly WriteStep[] {
    if (next.kind !== 'text' || before.kind === 'binary') {
      this.record(sessionId, path, before, content);
      this.disk.wrote(path, content);
      return next.kind === 'text' ? [{ by: 'agent', text: next.text }] : [];
    }
    // Changed texts are no moves, and `record` notes those that are deleted.
    if (before.kind === 'absent') this.#contents?.renames.note(path, undefined, tellApart(content));
    const made = steps ?? [{ by: 'agent', text: next.text }];
    const mark = this.#lastTurn(sessionId);
    let standing = before;
    for (const { by, text } of made) {
      if (by === 'agent') this.#tell(sessionId, path, standing, text, mark);
      else this.recordEdit(path, text);
      standing = contentOfText(text);
    }
    this.#tellBeside(sessionId, path, before, content, mark);
    // Text that was typed meanwhile is on disk only as far as the save included it, and it is known to be the user's.
    if (isOnDisk) this.disk.wrote(path, contentOfText(made.findLast(({ by }) => by === 'agent')?.text));
    return made;
  }

  /**
   * Records a change of an agent, after it happened: as hunks if both sides are text, otherwise as a whole. A change of
   * the storage form or the permissions of a text is recorded as a whole beside the hunks.
   * @param before undefined if it is unknown.
   * @param mark the turn in which it happened, which may be over; absent: the last one
   */
  record(
    sessionId: string,
    path: string,
    before: ContentInHand | undefined,
    after: ContentInHand,
    mark = this.#lastTurn(sessionId),
  ): void {
    const isSame = before !== undefined && isSameContent(before, after);
    if (before && !isSame) this.#contents?.renames.note(path, tellApart(before), tellApart(after));
    const whole = this.entry(sessionId, path)?.whole;
    const isBeside = isFormChange(whole) || (isPermissionChange(whole) && after.kind !== 'absent');
    const hasLines = before && before.kind !== 'binary' && after.kind !== 'binary' && (!whole || isBeside);
    if (!hasLines) this.recorder.replaced(sessionId, path, before, after, mark);
    else {
      if (!isSame) this.#tell(sessionId, path, before, textIn(after), mark);
      this.#tellBeside(sessionId, path, before, after, mark);
    }
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

  /** Records a change of lines. */
  #tell(sessionId: string, path: string, before: ContentInHand, after: string | undefined, mark: TurnMark): void {
    this.recorder.changed(sessionId, path, before, after, mark);
    this.ledger(sessionId).agentWrote(path, textIn(before), after, mark.turn);
    this.tellOthers(sessionId, path, after);
  }

  /** Records what else changed of a text, after its lines. */
  #tellBeside(sessionId: string, path: string, before: ContentInHand, after: ContentInHand, mark: TurnMark): void {
    if (!isSameForm(before, after)) this.recorder.replaced(sessionId, path, before, after, mark);
    // The lines are hunks by now.
    else if (!isSameMode(before, after))
      this.recorder.replaced(sessionId, path, withModeOf(after, before), after, mark);
  }

  #lastTurn(sessionId: string): TurnMark {
    return { turn: this.options.turnOf(sessionId) };
  }
}

/** A text that identifies a content. Empty texts all give "", because they cannot be told apart. */
function tellApart(content: ContentInHand): string | undefined {
  return content.kind === 'absent' ? undefined : content.kind === 'text' && content.text === '' ? '' : content.digest;
}
