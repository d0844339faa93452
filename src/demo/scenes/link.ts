import { randomUUID } from 'node:crypto';
import type { CreateElicitationResponse } from '@agentclientprotocol/sdk';
import type { Turn } from '../turn';

/** A page that exists to be looked at. */
const url = 'https://example.com/';

/** Asks the user to open a web page, waits a little as if for a sign-in, and says that it is done. */
export async function link(turn: Turn): Promise<void> {
  const { peer, capabilities } = turn.session;
  if (!capabilities.elicitation?.url) {
    await turn.say('I would ask you to open a web page now, but this client does not support that.\n');
    return;
  }
  await turn.say(
    'Some agents sign you in on a web page. This request only looks like that. Nothing opens before you agree.\n\n',
  );
  const elicitationId = randomUUID();
  const { action } = await turn.call<CreateElicitationResponse>('elicitation/create', {
    mode: 'url',
    message: 'Open a harmless page',
    url,
    elicitationId,
  });
  if (action !== 'accept') {
    await turn.say(
      action === 'decline' ? 'You declined, so no page was opened.\n' : 'You dismissed it, so no page was opened.\n',
    );
    return;
  }
  await turn.say(
    'The page is open in your browser. The card waits until I report that you are done there. I count to three instead.\n\n',
  );
  for (const word of ['One.', 'Two.', 'Three.']) {
    await turn.pause(1_000);
    await turn.say(`${word} `);
  }
  peer.notify('elicitation/complete', { elicitationId });
  await turn.say('\n\nDone. You can close the page.\n');
}
