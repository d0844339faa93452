import type { Clock } from '../../base/scheduler';
import type { Session } from '../../thread/session';
import type { SessionConnection } from './sessionConnection';

/** A message waits no longer than this for a history that is told without end. */
const longestMs = 5_000;

/** Attaches a session of the agent's list and waits until its history is told. @returns whether it could be attached */
export async function historyTold(connection: SessionConnection, session: Session, clock: Clock): Promise<boolean> {
  if (!(await connection.tryAttach())) return false;
  const since = clock.now();
  while (connection.awaitsHistory && clock.now() - since < longestMs) {
    await new Promise<void>((resolve) => clock.setTimeout(resolve, Math.max(session.historyLeft(), 1)));
  }
  return true;
}
