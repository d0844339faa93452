import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shownWait } from '../platform/longWork';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { ApiKeys } from '../signIn/apiKeys';
import type { SessionService } from './sessionService';

/** `Parley: Sign Out`: tells the agent, where it can be told (item 48), and forgets the keys that were given for it. */
export async function signOut(sessions: SessionService, keys: ApiKeys): Promise<void> {
  const { active } = sessions;
  const name = active.agent;
  if (name === '' || !vscode.workspace.isTrusted) return;
  const confirm = l10n.t('Sign Out');
  const detail = l10n.t('Parley deletes the keys that it stores for this agent. You may need to sign in again.');
  if (
    (await markedWindow.showWarningMessage(
      l10n.t('Sign out of {0}?', plainText(name)),
      { modal: true, detail },
      confirm,
    )) !== confirm
  )
    return;
  const hadKeys = await keys.forget(name);
  const title = l10n.t('Signing out of {0}', plainText(name));
  const agent = await shownWait(title, sessions.startAgent(name));
  if (!agent) return;
  try {
    if (agent.features.logout) await shownWait(title, agent.connection.logout());
  } catch (error) {
    const reason = error instanceof Error ? plainText(error.message, 500) : '';
    void markedWindow.showErrorMessage(
      reason
        ? l10n.t('{0} could not sign you out: {1}', plainText(name), reason)
        : l10n.t('{0} could not sign you out.', plainText(name)),
    );
    return;
  } finally {
    // A process that was given a key keeps it for as long as it runs.
    if (hadKeys) await sessions.stopAgent(name);
  }
  const words =
    agent.features.logout || hadKeys
      ? l10n.t('You are signed out of {0}.', plainText(name))
      : l10n.t('{0} offers no way to sign out, and Parley stores no key for it.', plainText(name));
  void markedWindow.showInformationMessage(words);
}
