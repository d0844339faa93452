import { shownEntries } from '../../thread/rewind';
import type { Session } from '../../thread/session';

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
