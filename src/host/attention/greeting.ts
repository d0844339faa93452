import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../base/scheduler';
import { markedWindow } from '../platform/markedWindow';

const greetedKey = 'parley.greeted';

/** A view that was open when the window closed is restored within this time. */
const WAIT_MS = 1_500;

/**
 * Shows the user once, after the installation, where Parley is. Not if the user disabled walkthroughs of new
 * extensions, and not over an open chat.
 */
export async function greet(state: vscode.Memento, isOpen: () => boolean, clock: Clock): Promise<void> {
  if (
    state.get(greetedKey) === true ||
    vscode.workspace.getConfiguration('workbench.welcomePage').get('walkthroughs.openOnInstall') === false
  )
    return;
  await state.update(greetedKey, true);
  await new Promise<void>((resolve) => clock.setTimeout(resolve, WAIT_MS));
  if (isOpen()) return;
  const open = l10n.t('Open Parley');
  const choice = await markedWindow.showInformationMessage(
    l10n.t('Parley is installed. Open it to select a coding agent.'),
    open,
    l10n.t('Not Now'),
  );
  if (choice === open) await vscode.commands.executeCommand('parley.openChat');
}
