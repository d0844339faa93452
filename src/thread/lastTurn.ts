import { promptsFrom } from './prompts';
import { isHidden } from './rewind';
import { beginsTurn, type EntryId, entryIdAt, indexOfEntry, type Thread } from './thread';

/**
 * The first entry of the running turn, or of the last one in the conversation.
 * @returns undefined before the first
 */
export function lastTurn(thread: Thread): EntryId | undefined {
  if (thread.turn) return entryIdAt(thread.turn.firstIndex);
  for (let index = thread.entries.length - 1; index >= 0; index--) {
    const entry = thread.entries.at(index)!;
    if (beginsTurn(entry) && !isHidden(thread, index)) return entry.id;
  }
  return undefined;
}

/**
 * The title of a turn: the user's message, or a note that the agent began it; undefined if the thread is not loaded.
 */
export function turnTitle(thread: Thread | undefined, turn: EntryId): string | undefined {
  const entry = thread?.entries.at(indexOfEntry(turn));
  if (entry?.kind === 'notice' && entry.beginsTurn) return entry.title;
  if (entry?.kind !== 'userMessage') return undefined;
  return [...entry.parts].map((part) => (part.type === 'text' ? part.text : '')).join('') || undefined;
}

/** The number of the prompt that began a turn, from 1. */
export function promptNumber(thread: Thread | undefined, turn: EntryId): number | undefined {
  const prompts = thread ? [...promptsFrom(thread)].reverse() : [];
  const at = prompts.findIndex(({ id }) => id === turn);
  return at < 0 ? undefined : at + 1;
}
