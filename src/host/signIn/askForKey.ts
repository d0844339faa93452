import * as l10n from '@vscode/l10n';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';

/** Asks for a key in a box that hides it. */
export async function askForKey(agent: string, method: string): Promise<string | undefined> {
  const key = await markedWindow.showInputBox({
    title: `${plainText(agent)}: ${plainText(method)}`,
    prompt: l10n.t(
      'Parley sends the key only to the agent. VS Code keeps it in its secret storage until you sign out.',
    ),
    placeHolder: l10n.t('API key'),
    password: true,
    ignoreFocusOut: true,
  });
  return key?.trim() || undefined;
}
