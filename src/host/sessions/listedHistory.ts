import type { Clock } from '../../base/scheduler';
import type { Session } from '../../thread/session';
import type { SessionConnection } from './sessionConnection';

/** The longest that a message waits for the history, milliseconds: an agent may never stop sending. */
const longestMs = 5_000;

/**
 * Attaches a session from the agent's list and waits until the agent has sent its history.
 * @returns false if it could not be attached
 */
export async function historyTold(connection: SessionConnection, session: Session, clock: Clock): Promise<boolean> {
  if (!(await connection.tryAttach())) return false;
  const since = clock.now();
  while (connection.awaitsHistory && clock.now() - since < longestMs) {
    await new Promise<void>((resolve) => clock.setTimeout(resolve, Math.max(session.historyLeft(), 1)));
  }
  return true;
}
