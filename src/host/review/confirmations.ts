import * as l10n from '@vscode/l10n';
import { listed } from '../../changes/notes';
import { countOf, pendingIn } from '../../changes/pending';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { namedTogether } from '../platform/problemList';
import type { Review } from './review';

/** A turn as shown to the user. */
export interface TurnName {
  /** The number of the prompt that began it; undefined if no prompt did. */
  readonly number: number | undefined;
  /** The text of the prompt. */
  readonly title: string | undefined;
}

/** Turns that changed the same lines as the turn that the user decides on. */
export interface TiedTurns {
  readonly wish: 'undo' | 'keep';
  readonly turns: readonly TurnName[];
  readonly labels: readonly string[];
  /** True if the decision also covers other lines. */
  readonly hasRest: boolean;
}

const MAX_NAMED = 5;

/**
 * Asks what to do with lines that several turns changed.
 * @returns true to include the other turns; undefined: do nothing.
 */
export async function askTied({ wish, turns, labels, hasRest }: TiedTurns): Promise<boolean | undefined> {
  const numbers = turns.flatMap(({ number }) => number ?? []).sort((a, b) => a - b);
  const isUndo = wish === 'undo';
  const question =
    numbers.length < turns.length || turns.length > MAX_NAMED ? ofMany(isUndo, turns.length) : ofNamed(isUndo, numbers);
  const prompts = turns
    .slice(0, MAX_NAMED)
    .flatMap(({ number, title }) =>
      title === undefined ? [] : [[number, plainText(title, 80)].filter((word) => word !== undefined).join('. ')],
    );
  const detail = [...prompts, l10n.t('Files: {0}', plainText(namedTogether(labels), 500))].join('\n');
  const others = isUndo ? l10n.t('Undo Those Too') : l10n.t('Keep Those Too');
  const rest = isUndo ? l10n.t('Undo the Rest') : l10n.t('Keep the Rest');
  // The first button is the default, so it is the one that changes less.
  const choice = await markedWindow.showWarningMessage(
    question,
    { modal: true, detail },
    ...(hasRest ? [rest, others] : [others]),
  );
  return choice === undefined ? undefined : choice === others;
}

function ofMany(isUndo: boolean, count: number): string {
  if (count === 1)
    return isUndo
      ? l10n.t('Also undo changes of another turn on the same lines?')
      : l10n.t('Also keep changes of another turn on the same lines?');
  return isUndo
    ? l10n.t('Also undo changes of {0} other turns on the same lines?', count)
    : l10n.t('Also keep changes of {0} other turns on the same lines?', count);
}

function ofNamed(isUndo: boolean, numbers: readonly number[]): string {
  const names = listed(numbers.map(String));
  if (numbers.length === 1)
    return isUndo
      ? l10n.t('Also undo changes of turn {0} on the same lines?', names)
      : l10n.t('Also keep changes of turn {0} on the same lines?', names);
  return isUndo
    ? l10n.t('Also undo changes of turns {0} on the same lines?', names)
    : l10n.t('Also keep changes of turns {0} on the same lines?', names);
}

/** Asks whether to keep protected files too, after the others were kept. */
export async function askGuarded(labels: readonly string[]): Promise<boolean> {
  const named = namedTogether(labels);
  const message =
    labels.length === 1
      ? l10n.t('The change in {0} stays pending, because the file is protected.', named)
      : l10n.t('Changes in {0} protected files stay pending: {1}.', labels.length, named);
  const action = l10n.t('Keep Anyway');
  return (await markedWindow.showWarningMessage(plainText(message, 1_000), action)) === action;
}

type Reviewed = Pick<Review, 'chosen' | 'open' | 'rows' | 'undoTargets'>;

/** Undoes all pending changes of one session, after a confirmation. */
export async function undoSession(review: Reviewed, sessionId: string): Promise<void> {
  const chosen = await review.chosen({ sessionId });
  const { files } = countOf(pendingIn(review.rows, { sessionId }));
  if (files === 0) return void markedWindow.showInformationMessage(l10n.t('This session has no pending changes.'));
  const question =
    files === 1
      ? l10n.t('Undo this session’s changes in one file? Your later edits stay.')
      : l10n.t('Undo this session’s changes in {0} files? Your later edits stay.', files);
  if ((await ask(question, undoAllAction())) === undoAllAction()) await review.undoTargets(await chosen());
}

/**
 * Undoes all pending changes of all sessions, after a confirmation. If other sessions than the shown one are affected,
 * the default button changes nothing.
 */
export async function undoAll(review: Reviewed, shown: string): Promise<void> {
  const chosen = await review.chosen({});
  const { files } = countOf(pendingIn(review.rows, {}));
  if (files === 0) return void markedWindow.showInformationMessage(l10n.t('No agent changes to review.'));
  const sessions = new Set(pendingIn(review.rows, {}).map(({ sessionId }) => sessionId));
  if (sessions.size === 1 && sessions.has(shown)) return undoSession(review, shown);
  const show = l10n.t('Show Changes');
  const choice = await ask(sessions.has(shown) ? ofAll(files) : ofOthers(files), show, undoAllAction());
  if (choice === show) await review.open(undefined);
  else if (choice !== undefined) await review.undoTargets(await chosen());
}

function ofAll(files: number): string {
  return files === 1
    ? l10n.t('Undo changes of all sessions in one file? Your later edits stay.')
    : l10n.t('Undo changes of all sessions in {0} files? Your later edits stay.', files);
}

function ofOthers(files: number): string {
  return files === 1
    ? l10n.t('Undo changes of other sessions in one file? Your later edits stay.')
    : l10n.t('Undo changes of other sessions in {0} files? Your later edits stay.', files);
}

function undoAllAction(): string {
  return l10n.t('Undo All');
}

async function ask(question: string, ...actions: string[]): Promise<string | undefined> {
  return markedWindow.showWarningMessage(question, { modal: true }, ...actions);
}
