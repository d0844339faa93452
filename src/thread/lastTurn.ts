import { type EntryId, entryIdAt, type Thread } from './thread';

/**
 * The entry with which the running turn began; when none runs, the person's last message, with which the last turn began.
 * @returns undefined where nothing was asked yet.
 */
export function lastTurn({ turn, entries }: Thread): EntryId | undefined {
  if (turn) return entryIdAt(turn.firstIndex);
  for (let index = entries.length - 1; index >= 0; index--) if (entries.at(index)?.kind === 'userMessage') return entryIdAt(index);
  return undefined;
}
