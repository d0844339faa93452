import * as l10n from '@vscode/l10n';
import { markedWindow } from '../platform/markedWindow';
import type { Review } from './review';

type Reviewed = Pick<Review, 'rows' | 'keep' | 'chosen' | 'keepMany' | 'undoTargets'>;

/** Undo of what one session has changed, after a question; where that is nothing, or no session is given, of what all have. */
export async function undoAll(review: Reviewed, sessionId?: string): Promise<void> {
  const mine = sessionId === undefined ? 0 : filesOf(review, sessionId);
  const files = mine || filesOf(review);
  if (files === 0) return;
  const chosen = review.chosen(mine > 0 ? { sessionId } : {});
  const isOne = files === 1;
  let question: string;
  if (sessionId === undefined) question = isOne ? l10n.t('Undo all changes in one file? Your later edits stay.') : l10n.t('Undo all changes in {0} files? Your later edits stay.', files);
  else if (mine > 0) question = isOne ? l10n.t('Undo this session’s changes in one file? Your later edits stay.') : l10n.t('Undo this session’s changes in {0} files? Your later edits stay.', files);
  else {
    question = isOne
      ? l10n.t('This session has no pending changes. Undo other sessions’ changes in one file? Your later edits stay.')
      : l10n.t('This session has no pending changes. Undo other sessions’ changes in {0} files? Your later edits stay.', files);
  }
  if (await isAgreed(question, l10n.t('Undo All'))) await review.undoTargets(await chosen());
}

/** Keep of what one session has changed; where that is nothing, of what the others have, after a question. */
export async function keepAllOf(review: Reviewed, sessionId: string): Promise<void> {
  if (filesOf(review, sessionId) > 0) return review.keep({ sessionId });
  const all = filesOf(review);
  if (all === 0) return;
  const chosen = review.chosen({});
  const question =
    all === 1
      ? l10n.t('This session has no pending changes. Keep other sessions’ changes in one file?')
      : l10n.t('This session has no pending changes. Keep other sessions’ changes in {0} files?', all);
  if (await isAgreed(question, l10n.t('Keep All'))) await review.keepMany(await chosen());
}

/** Files with changes: of one session, or of all. */
function filesOf(review: Reviewed, sessionId?: string): number {
  const rows = review.rows.filter((session) => sessionId === undefined || session.sessionId === sessionId);
  return new Set(rows.flatMap(({ changes }) => changes.map(({ path }) => path))).size;
}

async function isAgreed(question: string, action: string): Promise<boolean> {
  return (await markedWindow.showWarningMessage(question, { modal: true }, action)) === action;
}
