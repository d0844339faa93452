import * as l10n from '@vscode/l10n';
import type { PermissionSubject } from '../../permission/subject';
import { kindWords, optionLabels } from '../../protocol/permissionOptions';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';

/**
 * Lets the user choose among all options of a permission request. The card shows only the first ones.
 * @param asker who asks @returns the option's id; undefined if the user cancels
 */
export async function pickAnswer({ options, title }: PermissionSubject, asker: string): Promise<string | undefined> {
  const labels = optionLabels(options);
  const items = options.map(({ kind, optionId }, i) => ({
    label: plainText(labels[i]!.text),
    description: kind === 'other' ? '' : kindWords[kind],
    detail: plainText(labels[i]!.quoted ?? labels[i]!.whole ?? '', 1_000),
    optionId,
  }));
  const chosen = await markedWindow.showQuickPick(items, {
    title: plainText(l10n.t('{0} asks: {1}', asker, title), 200),
    placeHolder: l10n.t('Select an answer'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.optionId;
}
