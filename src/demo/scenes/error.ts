import { RpcError } from '../peer';
import type { Turn } from '../turn';

/**
 * Ends the turn with a JSON-RPC error, the way agents report a model that cannot be reached, or one that is asked too
 * often.
 */
export async function fail(turn: Turn): Promise<never> {
  await turn.say(
    'I will now fail on purpose. The reason is in the error itself, and **Retry** sends the same prompt again.\n',
  );
  await turn.pause(400);
  if (/limit/i.test(turn.args)) throw new RpcError(-32001, 'Too many demos at once', { retryAfter: 10 });
  throw new RpcError(-32603, 'Internal error', {
    details: 'The demo failed because it was asked to. Nothing is wrong with your set-up.',
  });
}
