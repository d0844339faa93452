import * as l10n from '@vscode/l10n';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { namedTogether } from '../platform/problemList';

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
