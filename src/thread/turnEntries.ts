import { type Entry, type EntryId, indexOfEntry, type Thread } from './thread';

/**
 * A prompt and all that followed it until the next one.
 * @param id an entry of that turn; without it the last turn
 */
export function turnEntries({ entries }: Thread, id?: EntryId): readonly Entry[] {
  const at = id === undefined ? entries.length - 1 : indexOfEntry(id);
  if (!Number.isInteger(at) || at < 0 || at >= entries.length) return [];
  let first = at;
  while (first > 0 && entries.at(first)?.kind !== 'userMessage') first--;
  const turn: Entry[] = [entries.at(first)!];
  for (let index = first + 1; index < entries.length; index++) {
    const entry = entries.at(index)!;
    if (entry.kind === 'userMessage') break;
    turn.push(entry);
  }
  return turn;
}
