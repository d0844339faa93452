import * as l10n from '@vscode/l10n';
import { messageOf, stackOf } from '../../base/errorText';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { OneByOne } from '../../base/oneByOne';
import { type Decision, decisionOf } from '../../changes/decision';
import { absent, isSameContent } from '../../changes/content';
import type { Ledger, Wish } from '../../changes/ledger';
import { stillAsAsked, type Target } from '../../changes/scope';
import { isSameForm } from '../../changes/textForm';
import { isBesideLines, isFormChange } from '../../changes/wholeChange';
import { NotStoredError } from '../platform/notStoredError';
import { eachFile } from './eachFile';
import type { BeforeImageRecorder } from './beforeImageRecorder';
import { ChangedMeanwhileError } from '../files/fileOnDisk';
import { refuseUnsavedElsewhere } from '../files/unsavedWork';
import type { ReviewContents } from './stored/reviewContents';
import type { ReviewedFiles } from './reviewedFiles';
import { toldTogether } from '../platform/problemList';
import type { UndoDialogs, WholeUndo } from './wholeUndo';
import { contentOfText, textIn } from '../storage/contentInHand';

export interface DecisionOptions extends UndoDialogs {
  readonly contents?: ReviewContents | undefined;
  readonly log: Logger;
}

/** Applies the user's decisions on agents' changes and reports them. */
export class Decisions extends Disposable {
  readonly #decisionEmitter = this.register(new Emitter<Decision>());
  readonly #oneByOne = new OneByOne();
  readonly onDidDecide = this.#decisionEmitter.event;

  constructor(
    private readonly options: DecisionOptions,
    private readonly files: Pick<
      ReviewedFiles,
      'disk' | 'isOnlyUnsaved' | 'labelOf' | 'look' | 'publish' | 'refresh' | 'replace' | 'session'
    >,
    private readonly recorder: Pick<
      BeforeImageRecorder,
      'deleting' | 'deletingMany' | 'isAsLeft' | 'keeping' | 'replacing' | 'takingOut'
    >,
  ) {
    super();
  }

  /**
   * True if the checkpoints have all replaced contents of these sessions, so that Keep may forget them. Otherwise
   * reports the error.
   */
  async canKeep(sessionIds: Iterable<string>): Promise<boolean> {
    try {
      for (const sessionId of sessionIds) await this.recorder.keeping(sessionId);
      return true;
    } catch (error) {
      this.options.report(l10n.t('Nothing was kept: {0}', messageOf(error)));
      return false;
    }
  }

  /**
   * Keeps a file or some hunks of it with their present lines.
   * @returns false if nothing of the target is valid any more.
   */
  async keep(target: Target): Promise<boolean> {
    const { sessionId, path } = target;
    if (target.ids) await this.files.refresh(sessionId, path);
    const ledger = this.files.session(sessionId)?.ledger;
    const before = ledger?.get(path);
    const meant = target.asOf ? stillAsAsked(target, target.asOf, before) : target;
    if (meant) {
      ledger?.keep(path, meant.ids, target.of);
      this.#tell(decisionOf(sessionId, 'kept', before, ledger?.get(path), target.of));
    }
    this.files.publish(sessionId, [path]);
    return meant !== undefined;
  }

  /**
   * Undoes changes of whole files and parts of files, and leaves the user's later edits. Hunks that the user has edited
   * stay as conflicts and are reported. A file that the agent created is deleted; if the user has edited it, Parley
   * asks first. If removed lines cannot be stored, all later targets stay unchanged.
   * @param step is asked before each file; false stops there.
   */
  async undo(targets: readonly Target[], step: () => boolean = () => true): Promise<void> {
    const problems: string[] = [];
    const full: NotStoredError[] = [];
    const undo = async (target: Target, isMany: boolean) => {
      const conflicts = await this.#inFile(target, 'undo', problems, isMany);
      if (conflicts instanceof NotStoredError) full.push(conflicts);
      else if (conflicts > 0) problems.push(conflictsIn(this.files.labelOf(target.sessionId, target.path), conflicts));
    };
    await eachFile(targets, undo, () => full.length === 0 && step());
    if (full[0]) problems.unshift(l10n.t('Undo stopped: {0}', full[0].message));
    if (problems.length > 0) this.options.report(toldTogether(problems));
  }

  /**
   * Undoes changes of one session, with and without hunks. Hunks that a change as a whole hid are undone too.
   * @param step is asked before each file; false stops there.
   */
  async undoIn(sessionId: string, targets: readonly Target[], step: () => boolean): Promise<void> {
    const { recorder } = this;
    const ledger = this.files.session(sessionId)?.ledger;
    if (!ledger) return;
    let goesOn = true;
    const next = () => (goesOn &&= step());
    // The storage form and the permissions of a text are undone with the whole file, never with some of its hunks.
    const hasLines = ({ path }: Target) => isBesideLines(ledger.whole(path)) && ledger.lines(path) !== undefined;
    const isTied = ({ path, ids, of }: Target) =>
      of !== undefined && !of.withOthers && ledger.tied(path, 'undo', ids, of.turn).size > 0;
    const wholes = targets.filter(
      (target) => ledger.whole(target.path) && !(hasLines(target) && (target.ids ?? target.of)) && !isTied(target),
    );
    const withLines = targets.filter(
      (target) => !ledger.whole(target.path) || (hasLines(target) && !wholes.includes(target)),
    );
    // After a failure each file is tried again by itself, and reported.
    await recorder.deletingMany(sessionId, withLines).catch(() => undefined);
    await this.undo(withLines, next);
    if (!goesOn || wholes.length === 0) return;
    const undo = await this.#wholeUndo(sessionId, ledger, (path) => this.#undoneWhole(sessionId, path));
    await undo?.run(wholes.map(({ path }) => path));
    await this.undo(
      wholes.filter(({ path }) => !ledger.whole(path) && ledger.has(path)),
      next,
    );
  }

  /** The user decides on the storage form and the permissions of a text, and not on its lines. */
  async decideForm(sessionId: string, path: string, wish: 'keep' | 'undo'): Promise<void> {
    const ledger = this.files.session(sessionId)?.ledger;
    if (!ledger || !isBesideLines(ledger.whole(path))) return;
    const undone = (file: string) => ledger.setWhole(file, undefined);
    if (wish === 'keep') undone(path);
    else await (await this.#wholeUndo(sessionId, ledger, undone))?.run([path]);
    this.files.publish(sessionId, [path]);
  }

  /** Undo of the last hunk restores the bytes of the file, and so its storage form. */
  async #settleForm(sessionId: string, path: string): Promise<void> {
    const ledger = this.files.session(sessionId)?.ledger;
    const whole = ledger?.whole(path);
    if (!isFormChange(whole) || ledger?.lines(path)) return;
    const now = await this.files.look(path);
    if (now.kind === 'text' && now.bytes && now.form && isSameForm(now, whole.before))
      ledger?.setWhole(path, undefined);
  }

  async #wholeUndo(sessionId: string, ledger: Ledger, undone: (path: string) => void): Promise<WholeUndo | undefined> {
    const { contents } = this.options;
    const { WholeUndo } = await import('./wholeUndo');
    return contents && new WholeUndo(sessionId, ledger, contents, this.files, this.recorder, this.options, undone);
  }

  /** A file has its content from before the agent changed it as a whole. */
  #undoneWhole(sessionId: string, path: string): void {
    const ledger = this.files.session(sessionId)?.ledger;
    const before = ledger?.get(path);
    ledger?.setWhole(path, undefined);
    if (before) this.#tell({ sessionId, path, verdict: 'undone', change: before, hunks: [] });
    this.files.publish(sessionId, [path]);
  }

  /** Applies the user's decision to some hunks. @returns the number of hunks that stayed as conflicts. */
  async decide(sessionId: string, path: string, wish: Wish, ids: readonly string[]): Promise<number> {
    const problems: string[] = [];
    const conflicts = await this.#inFile({ sessionId, path, ids }, wish, problems);
    if (conflicts instanceof NotStoredError) problems.push(l10n.t('Nothing was changed: {0}', conflicts.message));
    if (problems.length > 0) this.options.report(problems.join('\n'));
    return conflicts instanceof NotStoredError ? 0 : conflicts;
  }

  /**
   * Applies a decision to one file, after earlier decisions on it. Errors are reported as problems of this file.
   * @returns the number of hunks that stay as conflicts; an error if removed lines could not be stored
   */
  async #inFile(target: Target, wish: Wish, problems: string[], isMany = false): Promise<number | NotStoredError> {
    const { sessionId, path } = target;
    await this.files.refresh(sessionId, path);
    const isSaved = isMany && (await this.recorder.isAsLeft(sessionId, path));
    const conflicts = await this.#oneByOne.run(path, () => this.#carryOut(target, wish, problems, isSaved));
    await this.#settleForm(sessionId, path);
    this.files.publish(sessionId, [path]);
    return conflicts;
  }

  /** @param isSaved true if the removed lines are on disk already */
  async #carryOut(target: Target, wish: Wish, problems: string[], isSaved: boolean): Promise<number | NotStoredError> {
    const { files, options, recorder } = this;
    const { sessionId, path, ids, of } = target;
    const ledger = files.session(sessionId)?.ledger;
    if (!ledger) return 0;
    const label = files.labelOf(sessionId, path);
    if (files.disk.isHeld(path)) {
      problems.push(
        l10n.t(
          'Parley did not change {0}: it has unsaved changes from before the agent’s change. Save or revert it first.',
          label,
        ),
      );
      return 0;
    }
    try {
      if (!isSaved) await recorder.takingOut();
      const plan = ledger.plan(path, wish, ids, of);
      if (plan && plan.text === undefined) await recorder.deleting(sessionId, path);
      const before = ledger.get(path);
      const conflicts = await this.#apply(target, wish, ledger);
      const verdict = wish === 'agents' ? wish : 'undone';
      if (wish !== 'restore') this.#tell(decisionOf(sessionId, verdict, before, ledger.get(path), of));
      return conflicts;
    } catch (error) {
      options.log.error(`${wish} in ${path} failed: ${stackOf(error)}`);
      if (error instanceof NotStoredError) return error;
      problems.push(`${label}: ${messageOf(error)}`);
      return 0;
    }
  }

  /** Writes what `ledger.plan` says. @returns the number of hunks that are left because the user has edited them. */
  async #apply({ sessionId, path, ids, of }: Target, wish: Wish, ledger: Ledger): Promise<number> {
    const { files, options } = this;
    let plan = ledger.plan(path, wish, ids, of);
    if (!plan) return 0;
    if (plan.text === undefined) {
      refuseUnsavedElsewhere(path);
      const asked = contentOfText(ledger.current(path));
      if (plan.losesEdits) {
        const question = l10n.t(
          'You have edited {0} since the agent created it. Delete it?',
          files.labelOf(sessionId, path),
        );
        if (!(await options.confirm(question, l10n.t('Delete')))) return 0;
        // The user may have edited the file before answering.
        if (!isSameContent(await files.look(path), asked)) throw new ChangedMeanwhileError();
      }
      await files.replace(sessionId, path, asked, absent);
      ledger.done(path, wish, undefined, ids, of);
      return 0;
    }
    // The unsaved text of a deleted file's editor counts only once it is saved.
    const isGone = ledger.current(path) === undefined && (await files.isOnlyUnsaved(path));
    const now = isGone ? absent : await files.look(path);
    if (now.kind === 'text' && now.text !== ledger.current(path)) ledger.edited(path, now.text);
    // Edits since then stay, and another decision may have been applied meanwhile.
    plan = ledger.plan(path, wish, ids, of);
    if (plan?.text === undefined) return 0;
    const next = contentOfText(plan.text);
    const written = await files.replace(sessionId, path, now, next, ledger.get(path)?.baseline);
    ledger.done(path, wish, textIn(written), ids, of);
    return plan.conflicts.length;
  }

  #tell(decision: Decision | undefined): void {
    if (decision) this.#decisionEmitter.fire(decision);
  }
}

function conflictsIn(label: string, count: number): string {
  return count === 1
    ? l10n.t('One change in {0} was not undone: you have edited the same lines since.', label)
    : l10n.t('{0} changes in {1} were not undone: you have edited the same lines since.', count, label);
}
