import type { Session } from '../../thread/session';

/**
 * The state key of a session's draft. Before the first prompt, the session could not be found again, so the draft
 * belongs to none.
 */
export function draftKey({ id, thread }: Pick<Session, 'id' | 'thread'>): string {
  return thread.entries.length === 0 ? 'new' : id;
}
