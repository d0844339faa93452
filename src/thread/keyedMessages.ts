import type { DecodedBlock } from '../acp/decodeContent';
import type { MessageRole } from '../acp/decodeUpdate';
import type { Vector } from '../base/vector';
import type { ThreadAction } from './actions';
import { addContent, closeMessages, isEchoOf, kindOf, partsOf } from './messageChunks';
import { awaitParent, parentage } from './subagents';
import {
  type AgentMessage,
  type Entry,
  entryIdAt,
  indexOfEntry,
  type Part,
  type Thread,
  type UserMessage,
} from './thread';

/*
 * /* Messages with the agent's ids (v2): each is one entry, and updates go to that entry, whatever follows it. In v1
 * the order of the chunks decides, see `appendChunk`.
 */

type Upsert = Extract<ThreadAction, { type: 'message/upserted' }>;
type Append = Extract<ThreadAction, { type: 'message/appended' }>;

/** Creates a message, or replaces its content. A new message without content is not shown yet. */
export function upsertMessage(thread: Thread, action: Upsert): Thread {
  const { content } = action;
  if (content === undefined) return thread;
  const index = find(thread, action);
  if (index === undefined) return content.some((block) => !isBlank(block)) ? begin(thread, action, content) : thread;
  const entry = thread.entries.at(index);
  if (!isMessage(entry) || (entry.kind === 'userMessage' && entry.isSent)) return thread;
  return put(thread, index, entry, partsOf(content), action.at);
}

/** Appends one block to a message; an unknown id begins one. */
export function appendToMessage(thread: Thread, action: Append): Thread {
  const { content, at, until = at } = action;
  const index = find(thread, action);
  if (index === undefined) return isBlank(content) ? thread : begin(thread, action, [content]);
  const entry = thread.entries.at(index);
  if (
    !isMessage(entry) ||
    (entry.kind === 'userMessage' && entry.isSent) ||
    (content.type === 'text' && content.text === '')
  )
    return thread;
  return put(thread, index, entry, addContent(entry.parts, content), until);
}

/** Gives a sent message the agent's id: later updates with that id are echoes. */
export function identifyMessage(
  thread: Thread,
  { entryId, messageId }: Extract<ThreadAction, { type: 'message/identified' }>,
): Thread {
  const index = indexOfEntry(entryId);
  const entry = thread.entries.at(index);
  if (entry?.kind !== 'userMessage' || (entry.isSent && entry.messageId === messageId)) return thread;
  const key = keyOf('user', messageId);
  return {
    ...thread,
    entries: thread.entries.set(index, { ...entry, messageId, isSent: true }),
    // An echo that was not recognized is already in the thread and keeps its id.
    messages: thread.messages.get(key) === undefined ? thread.messages.set(key, index) : thread.messages,
  };
}

function find(thread: Thread, { role, messageId }: Upsert | Append): number | undefined {
  return thread.messages.get(keyOf(role, messageId));
}

function begin(thread: Thread, action: Upsert | Append, content: readonly DecodedBlock[]): Thread {
  const { role, messageId, at, parentToolCallId } = action;
  if (role === 'user' && isEcho(thread, content))
    return identifyMessage(thread, {
      type: 'message/identified',
      at,
      entryId: entryIdAt(thread.turn!.firstIndex),
      messageId,
    });
  const closed = closeMessages(thread);
  const index = closed.entries.length;
  const common = { id: entryIdAt(index), at, messageId, parts: partsOf(content) };
  const kind = kindOf(action);
  const parent = kind === 'userMessage' ? {} : parentage(closed, parentToolCallId);
  const until = action.type === 'message/appended' ? (action.until ?? at) : at;
  const entry: Entry =
    kind === 'userMessage'
      ? { kind, ...common, dropped: false }
      : { kind, ...common, lastAt: until, closed: false, ...(action.isAgents ? { asUser: true } : {}), ...parent };
  return awaitParent(
    { ...closed, entries: closed.entries.push(entry), messages: closed.messages.set(keyOf(role, messageId), index) },
    index,
    parent,
  );
}

/** Replaces or adds an entry. The duration of a thought is known once something else has begun. */
function put(
  thread: Thread,
  index: number,
  entry: UserMessage | AgentMessage,
  parts: Vector<Part>,
  at: number,
): Thread {
  return {
    ...thread,
    entries: thread.entries.set(
      index,
      entry.kind === 'userMessage' || entry.closed ? { ...entry, parts } : { ...entry, parts, lastAt: at },
    ),
  };
}

/**
 * Recognizes an echo of the running prompt: matching content before the agent has sent the id, and the same again if
 * the prompt was sent again.
 */
function isEcho({ turn, entries }: Thread, content: readonly DecodedBlock[]): boolean {
  const sent = turn && entries.at(turn.firstIndex);
  if (sent?.kind !== 'userMessage' || (sent.messageId !== undefined && !sent.isSent)) return false;
  const text = content
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
    .trim();
  const prompt = turn!.promptText.trim();
  if (sent.isSent) return text !== '' && text === prompt;
  if (text !== '' || prompt !== '') return prompt.startsWith(text) || text.startsWith(prompt);
  return content.some((block) => [...sent.parts].some((part) => isEchoOf(part, block)));
}

function isBlank(block: DecodedBlock): boolean {
  return block.type === 'text' && block.text.trim() === '';
}

function isMessage(entry: Entry | undefined): entry is UserMessage | AgentMessage {
  return entry?.kind === 'userMessage' || entry?.kind === 'agentMessage' || entry?.kind === 'thought';
}

function keyOf(role: MessageRole, messageId: string): string {
  return `${role} ${messageId}`;
}
