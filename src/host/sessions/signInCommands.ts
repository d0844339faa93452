import * as vscode from 'vscode';
import { demoAgentName } from '../agents/agentSettings';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { SessionService } from './sessionService';
import type { ApiKeys } from '../signIn/apiKeys';
import { methodsOf } from '../signIn/signIn';

/** `Parley: Sign In`: brings the card with the ways that the agent offers. */
export async function signIn({ active }: SessionService): Promise<void> {
  const outcome = await active.signIn.ask();
  if (outcome === 'signedIn') void markedWindow.showInformationMessage(`You are signed in to ${plainText(active.agent)}.`);
  if (outcome !== 'noWay') return;
  void markedWindow.showInformationMessage(`${plainText(active.agent)} offers no way to sign in. Its own documentation says how it gets its account or key.`);
}

/** `Parley: Sign Out`: tells the agent, where it can be told (item 48), and forgets the keys that were given for it. */
export async function signOut(sessions: SessionService, keys: ApiKeys): Promise<void> {
  const { active } = sessions;
  const name = active.agent;
  if (name === '' || !vscode.workspace.isTrusted) return;
  const confirm = 'Sign Out';
  const detail = 'Parley has deleted its keys. You may need to sign in again.';
  if ((await markedWindow.showWarningMessage(`Sign out of ${plainText(name)}?`, { modal: true, detail }, confirm)) !== confirm) return;
  const hadKeys = await keys.forget(name);
  const agent = await sessions.startAgent(name);
  if (!agent) return;
  try {
    if (agent.features.logout) await agent.connection.logout();
  } catch (error) {
    const reason = error instanceof Error ? plainText(error.message, 500) : '';
    void markedWindow.showErrorMessage(`${plainText(name)} could not sign you out${reason ? `: ${reason}` : '.'}`);
    return;
  } finally {
    // A process that was given a key keeps it for as long as it runs.
    if (hadKeys) await sessions.stopAgent(name);
  }
  const words = agent.features.logout || hadKeys ? `You are signed out of ${plainText(name)}.` : `${plainText(name)} offers no way to sign out, and no key of yours is kept for it.`;
  void markedWindow.showInformationMessage(words);
}

/** What the menus ask for: whether there is something to sign in to, and out of, as far as is known. */
export function signInContext({ active, runningAgentNamed }: SessionService): { readonly canSignIn: boolean; readonly canSignOut: boolean } {
  const agent = active.runningAgent ?? runningAgentNamed(active.agent);
  const unknown = active.agent !== '' && active.agent !== demoAgentName;
  return { canSignIn: agent ? methodsOf(agent).length > 0 : unknown, canSignOut: agent ? agent.features.logout : unknown };
}
