import { promptsFrom } from './prompts';
import { type EntryId, entryIdAt, indexOfEntry, type Thread } from './thread';

/**
 * The entry with which the running turn began; when none runs, the user's last message, with which the last turn began.
 * @returns undefined where nothing was asked yet.
 */
export function lastTurn(thread: Thread): EntryId | undefined {
  return thread.turn ? entryIdAt(thread.turn.firstIndex) : promptsFrom(thread).next().value?.id;
}

/** What the user wrote at the beginning of a turn; undefined where the agent began it, or the thread is not here. */
export function promptOf(thread: Thread | undefined, turn: EntryId): string | undefined {
  const entry = thread?.entries.at(indexOfEntry(turn));
  if (entry?.kind !== 'userMessage') return undefined;
  return [...entry.parts].map((part) => (part.type === 'text' ? part.text : '')).join('') || undefined;
}
