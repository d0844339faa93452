import * as l10n from '@vscode/l10n';
import { demoAgentName } from '../agents/agentSettings';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { SessionService } from './sessionService';
import { methodsOf } from '../signIn/signIn';

/** `Parley: Sign In`: brings the card with the ways that the agent offers. */
export async function signIn({ active }: SessionService): Promise<void> {
  const outcome = await active.signIn.ask();
  if (outcome === 'signedIn')
    void markedWindow.showInformationMessage(l10n.t('You are signed in to {0}.', plainText(active.agent)));
  if (outcome !== 'noWay') return;
  void markedWindow.showInformationMessage(
    l10n.t(
      '{0} offers no way to sign in. Its documentation says how to set up an account or key.',
      plainText(active.agent),
    ),
  );
}

/** What the menus ask for: whether there is something to sign in to, and out of, as far as is known. */
export function signInContext({ active, runningAgentNamed }: SessionService): {
  readonly canSignIn: boolean;
  readonly canSignOut: boolean;
} {
  const agent = active.runningAgent ?? runningAgentNamed(active.agent);
  const unknown = active.agent !== '' && active.agent !== demoAgentName;
  return {
    canSignIn: agent ? methodsOf(agent).length > 0 : unknown,
    canSignOut: agent ? agent.features.logout : unknown,
  };
}
