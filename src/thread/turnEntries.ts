import { shownEntries } from './rewind';
import { beginsTurn, type Entry, type EntryId, type Thread } from './thread';

/**
 * A turn, from its prompt or its beginning without one until the next, in the conversation as it is now.
 * @param id an entry of that turn; without it the last turn
 */
export function turnEntries(thread: Thread, id?: EntryId): readonly Entry[] {
  const entries = [...shownEntries(thread)];
  const at = id === undefined ? entries.length - 1 : entries.findIndex((entry) => entry.id === id);
  if (at < 0) return [];
  const first = entries.findLastIndex((entry, index) => index <= at && beginsTurn(entry));
  const next = entries.findIndex((entry, index) => index > at && beginsTurn(entry));
  return entries.slice(Math.max(0, first), next < 0 ? entries.length : next);
}
