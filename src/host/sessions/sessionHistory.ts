import type { Clock } from '../../base/scheduler';
import { shownEntries } from '../../thread/rewind';
import type { Session } from '../../thread/session';
import type { SessionConnection } from './sessionConnection';

/**
 * Something was said in the thread before the prompt that is being sent. What an agent asked while it was starting, and
 * what Parley said of that, is no history.
 */
export function hasHistory(session: Session): boolean {
  return (
    [...shownEntries(session.thread)].filter((entry) => entry.kind !== 'elicitation' && entry.kind !== 'notice')
      .length > (session.isRunning ? 1 : 0)
  );
}

/** The agent has said or done something in the thread. What was only asked is asked again, as a whole. */
export function hasAnswer(session: Session): boolean {
  return [...shownEntries(session.thread)].some(
    ({ kind }) => kind !== 'userMessage' && kind !== 'elicitation' && kind !== 'notice',
  );
}

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
