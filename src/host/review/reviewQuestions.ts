import { markedWindow } from '../platform/markedWindow';
import { longWork } from '../platform/longWork';
import { plainText } from '../platform/plainText';
import type { ReviewOptions } from './review';

const MAX_NAMED = 5;

/** What the review asks and tells the person while it works on many files. */
export const reviewQuestions: Pick<ReviewOptions, 'askGuarded' | 'withProgress'> = {
  askGuarded: async (labels) => {
    const named = labels.slice(0, MAX_NAMED).join(', ') + (labels.length > MAX_NAMED ? ` and ${labels.length - MAX_NAMED} more` : '');
    const message = labels.length === 1 ? `The change in ${named} is still pending: the file is guarded.` : `Changes in ${labels.length} guarded files are still pending: ${named}.`;
    const action = labels.length === 1 ? 'Keep It Too' : 'Keep Them Too';
    return (await markedWindow.showWarningMessage(plainText(message, 1_000), action)) === action;
  },
  withProgress: longWork,
};

/** Says that changes were kept without a click, and offers to take that back. */
export async function tellKept(files: number, undo: () => Promise<void>): Promise<void> {
  const action = 'Undo';
  if ((await markedWindow.showInformationMessage(`Kept the changes in ${files === 1 ? 'one file' : `${files} files`}.`, action)) === action) await undo();
}
