import type { Session } from '../../thread/session';

/**
 * Under what the draft of a session is kept. Before the first prompt it belongs to no session that could be found
 * again.
 */
export function draftKey({ id, thread }: Pick<Session, 'id' | 'thread'>): string {
  return thread.entries.length === 0 ? 'new' : id;
}
