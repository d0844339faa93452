import type { StopReason } from '@agentclientprotocol/sdk';
import type { Turn } from '../turn';

/** Ends the turn with the stop reason `refusal`: the prompt is not part of the conversation any more. */
export async function refuse(turn: Turn): Promise<StopReason> {
  await turn.say(
    'I would rather not. A model that refuses ends its turn like this, and forgets the prompt it refused.\n',
  );
  return 'refusal';
}
