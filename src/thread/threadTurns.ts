import { isHidden, shownEntries } from './rewind';
import {
  type Entry,
  type EntryId,
  type Part,
  type Thread,
  type UserMessage,
  beginsTurn,
  entryIdAt,
  indexOfEntry,
} from './thread';

/** The user's prompts in the conversation, the newest first, found lazily. */
export function* promptsFrom(thread: Thread): Generator<UserMessage> {
  for (let index = thread.entries.length - 1; index >= 0; index--) {
    const entry = thread.entries.at(index);
    if (entry?.kind === 'userMessage' && !isHidden(thread, index)) yield entry;
  }
}

/** When the current or last prompt was sent, epoch milliseconds; undefined before the first. */
export function lastPromptAt(thread: Thread | undefined): number | undefined {
  if (!thread) return undefined;
  const asked = thread.turn && thread.entries.at(thread.turn.firstIndex);
  if (asked?.kind === 'userMessage') return asked.at;
  return promptsFrom(thread).next().value?.at;
}

/** The words of a prompt in one line. */
export function promptWords({ parts }: UserMessage): string {
  const text = [...parts].map((part) => (part.type === 'text' ? part.text : ' ')).join('');
  return text.slice(0, 1_000).replace(/\s+/g, ' ').trim();
}

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
