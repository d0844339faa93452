import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { markedWindow } from '../platform/markedWindow';

const greetedKey = 'parley.greeted';

/** Says once, after the installation, where Parley is. Not to those who want no walkthroughs of new extensions either. */
export async function greet(state: vscode.Memento): Promise<void> {
  if (state.get(greetedKey) === true || vscode.workspace.getConfiguration('workbench.welcomePage').get('walkthroughs.openOnInstall') === false) return;
  await state.update(greetedKey, true);
  const open = l10n.t('Open Parley');
  const choice = await markedWindow.showInformationMessage(l10n.t('Parley is installed. Open it to select a coding agent.'), open, l10n.t('Not Now'));
  if (choice === open) await vscode.commands.executeCommand('parley.openChat');
}
