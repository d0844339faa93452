import { markedWindow } from '../platform/markedWindow';
import type { Review } from './review';

type Reviewed = Pick<Review, 'rows' | 'keep' | 'undo'>;

const EDITS_STAY = 'Your later edits stay.';
const NOTHING_HERE = 'This session has no pending changes.';

/** Undo of what all sessions have changed, after a question. */
export async function undoAll(review: Reviewed): Promise<void> {
  const all = filesOf(review);
  if (all > 0 && (await isAgreed(`Undo all changes in ${named(all)}? ${EDITS_STAY}`, 'Undo All'))) await review.undo({});
}

/** Undo of what one session has changed, after a question; where that is nothing, of what the others have. */
export async function undoAllOf(review: Reviewed, sessionId: string): Promise<void> {
  const mine = filesOf(review, sessionId);
  const all = filesOf(review);
  if (mine > 0) {
    if (await isAgreed(`Undo all changes of this session in ${named(mine)}? ${EDITS_STAY}`, 'Undo All')) await review.undo({ sessionId });
  } else if (all > 0 && (await isAgreed(`${NOTHING_HERE} Undo all changes of other sessions in ${named(all)}? ${EDITS_STAY}`, 'Undo All'))) await review.undo({});
}

/** Keep of what one session has changed; where that is nothing, of what the others have, after a question. */
export async function keepAllOf(review: Reviewed, sessionId: string): Promise<void> {
  const all = filesOf(review);
  if (filesOf(review, sessionId) > 0) await review.keep({ sessionId });
  else if (all > 0 && (await isAgreed(`${NOTHING_HERE} Keep all changes of other sessions in ${named(all)}?`, 'Keep All'))) await review.keep({});
}

/** Files with changes: of one session, or of all. */
function filesOf(review: Reviewed, sessionId?: string): number {
  const rows = review.rows.filter((session) => sessionId === undefined || session.sessionId === sessionId);
  return new Set(rows.flatMap(({ changes }) => changes.map(({ path }) => path))).size;
}

function named(files: number): string {
  return files === 1 ? 'one file' : `${files} files`;
}

async function isAgreed(question: string, action: string): Promise<boolean> {
  return (await markedWindow.showWarningMessage(question, { modal: true }, action)) === action;
}
