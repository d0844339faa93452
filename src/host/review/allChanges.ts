import * as l10n from '@vscode/l10n';
import { countOf, pendingIn } from '../../changes/pending';
import { markedWindow } from '../platform/markedWindow';
import type { Review } from './review';

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
