import { shownEntries } from './rewind';
import { beginsTurn, type Entry, type EntryId, type Thread } from './thread';

/**
 * A turn's entries in the current conversation, from its prompt, or from its beginning without one, to the next turn.
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
