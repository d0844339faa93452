import { isHidden } from './rewind';
import { beginsTurn, type EntryId, indexOfEntry, type Part, type Thread } from './thread';

/**
 * The agent's answer in a turn, in its own Markdown, with a blank line between messages. Thoughts, calls and the
 * messages of subagents are left out.
 * @param id an entry of the turn; without it the last of the agent's messages
 * @returns '' if there is no answer
 */
export function answerText(thread: Thread, id?: EntryId): string {
  const { entries } = thread;
  let at = id === undefined ? entries.length - 1 : indexOfEntry(id);
  if (id === undefined) while (at >= 0 && (entries.at(at)?.kind !== 'agentMessage' || isHidden(thread, at))) at--;
  if (!Number.isInteger(at) || at < 0 || at >= entries.length) return '';
  let first = at;
  while (first > 0 && !beginsTurn(entries.at(first - 1)!)) first--;
  const said: string[] = [];
  for (let i = first; i < entries.length; i++) {
    const entry = entries.at(i)!;
    if (beginsTurn(entry)) break;
    if (entry.kind === 'agentMessage' && entry.parentId === undefined && !entry.asUser) said.push(textOf(entry.parts));
  }
  return said.filter(Boolean).join('\n\n');
}

/** Joins text parts, which are split only for cheap appending. */
function textOf(parts: Iterable<Part>): string {
  let text = '';
  for (const part of parts) {
    if (part.type === 'text') text += part.continues || text === '' ? part.text : `\n\n${part.text}`;
  }
  return text.trim();
}
