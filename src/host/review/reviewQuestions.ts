import * as l10n from '@vscode/l10n';
import { markedWindow } from '../platform/markedWindow';
import { longWork } from '../platform/longWork';
import { plainText } from '../platform/plainText';
import { namedTogether } from '../platform/problemList';
import type { ReviewOptions } from './review';

/** What the review asks and tells the user while it works on many files. */
export const reviewQuestions: Pick<ReviewOptions, 'askGuarded' | 'withProgress'> = {
  askGuarded: async (labels) => {
    const named = namedTogether(labels);
    const message = labels.length === 1 ? l10n.t('The change in {0} is still pending: the file is protected.', named) : l10n.t('Changes in {0} protected files are still pending: {1}.', labels.length, named);
    const action = labels.length === 1 ? l10n.t('Keep It Too') : l10n.t('Keep Them Too');
    return (await markedWindow.showWarningMessage(plainText(message, 1_000), action)) === action;
  },
  withProgress: longWork,
};

/** Says that changes were kept without a click, and offers to take that back. */
export async function tellKept(files: number, undo: () => Promise<void>): Promise<void> {
  const action = l10n.t('Undo');
  const message = files === 1 ? l10n.t('Kept the changes in 1 file.') : l10n.t('Kept the changes in {0} files.', files);
  if ((await markedWindow.showInformationMessage(message, action)) === action) await undo();
}
