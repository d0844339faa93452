import { randomUUID } from 'node:crypto';
import type { CreateElicitationResponse } from '@agentclientprotocol/sdk';
import type { Turn } from '../turn';

/** A page that exists to be looked at. */
const url = 'https://example.com/';

/** Asks the person to open a web page, waits a little as if for a sign-in, and says that it is done. */
export async function link(turn: Turn): Promise<void> {
  const { peer, capabilities } = turn.session;
  if (!capabilities.elicitation?.url) {
    await turn.say('I would ask you to open a web page now, but this client opens none for me.\n');
    return;
  }
  await turn.say('Agents sign you in on web pages. This one only looks like it: nothing is opened before you agree.\n\n');
  const elicitationId = randomUUID();
  const { action } = await turn.call<CreateElicitationResponse>('elicitation/create', { mode: 'url', message: 'Open a harmless page', url, elicitationId });
  if (action !== 'accept') {
    await turn.say(action === 'decline' ? 'You declined, so no page was opened.\n' : 'You put it aside, so no page was opened.\n');
    return;
  }
  await turn.say('It is open in your browser, and the card waits until I say that all is done there. I count to three instead.\n\n');
  for (const word of ['One.', 'Two.', 'Three.']) {
    await turn.pause(1_000);
    await turn.say(`${word} `);
  }
  peer.notify('elicitation/complete', { elicitationId });
  await turn.say('\n\nDone. You can close the page.\n');
}
