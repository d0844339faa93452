import { shownEntries } from './rewind';
import type { Entry, EntryId, Thread } from './thread';

/**
 * A prompt and all that followed it until the next one, in the conversation as it is now.
 * @param id an entry of that turn; without it the last turn
 */
export function turnEntries(thread: Thread, id?: EntryId): readonly Entry[] {
  const entries = [...shownEntries(thread)];
  const at = id === undefined ? entries.length - 1 : entries.findIndex((entry) => entry.id === id);
  if (at < 0) return [];
  const first = entries.findLastIndex((entry, index) => index <= at && entry.kind === 'userMessage');
  const next = entries.findIndex((entry, index) => index > at && entry.kind === 'userMessage');
  return entries.slice(Math.max(0, first), next < 0 ? entries.length : next);
}
