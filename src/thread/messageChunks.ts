import { Vector } from '../base/vector';
import type { ThreadAction } from './actions';
import { awaitParent, parentage, type Parentage } from './subagents';
import {
  type AgentMessage,
  type Entry,
  entryIdAt,
  maxPartLength,
  type Part,
  type Thread,
  type UserMessage,
} from './thread';

type Chunk = Extract<ThreadAction, { type: 'message/chunkAppended' }>;

/** The kind of entry for a role. */
export function kindOf({
  role,
  isAgents,
}: Pick<Chunk, 'role' | 'isAgents'>): 'userMessage' | 'agentMessage' | 'thought' {
  return role === 'thought' ? 'thought' : role === 'user' && !isAgents ? 'userMessage' : 'agentMessage';
}

/**
 * Appends a chunk to the last entry if it belongs to it, else begins a new one. Chunks belong together if role and
 * `messageId` are the same and nothing else came between (prompt-turn page; items 88 to 94). The same `messageId` after
 * a tool call continues below the call: the screen shows the order of events.
 */
export function appendChunk(thread: Thread, chunk: Chunk): Thread {
  if (chunk.content.type === 'text' && chunk.content.text === '') return thread;
  const afterEcho = chunk.role === 'user' ? withoutEcho(thread, chunk) : { thread, shown: true };
  if (!afterEcho.shown) return afterEcho.thread;
  const index = thread.entries.length - 1;
  const last = thread.entries.at(index);
  if (last && continues(last, chunk, thread)) {
    return { ...thread, entries: thread.entries.set(index, grown(last, chunk)) };
  }
  // Some agents send a single empty line, between turns too; it would be an empty message.
  if (chunk.content.type === 'text' && chunk.content.text.trim() === '') return thread;
  const closed = closeMessages(thread);
  const parent = kindOf(chunk) === 'userMessage' ? {} : parentage(closed, chunk.parentToolCallId);
  return awaitParent(
    { ...closed, entries: closed.entries.push(begun(entryIdAt(closed.entries.length), chunk, parent)) },
    closed.entries.length,
    parent,
  );
}

function continues(last: Entry, chunk: Chunk, thread: Thread): last is UserMessage | AgentMessage {
  if (last.kind !== kindOf(chunk)) return false;
  if (last.kind !== 'userMessage' && last.kind !== 'agentMessage' && last.kind !== 'thought') return false;
  if (
    last.kind !== 'userMessage' &&
    (last.asUser !== chunk.isAgents || (last.closed && !(chunk.endsAnswer && last.endsTurn)))
  )
    return false;
  // A message that the user sent in this turn is complete; a chunk of the same role is something else.
  if (last.kind === 'userMessage' && thread.turn?.firstIndex === thread.entries.length - 1) return false;
  if (last.kind !== 'userMessage' && !isSameParent(last, parentage(thread, chunk.parentToolCallId))) return false;
  return last.messageId === chunk.messageId;
}

function isSameParent(a: Parentage, b: Parentage): boolean {
  return a.parentId === b.parentId && a.parentCallId === b.parentCallId;
}

function begun(id: string, chunk: Chunk, parent: Parentage): Entry {
  const { at, content, messageId, until = at, isAgents } = chunk;
  const kind = kindOf(chunk);
  const common = { id, at, parts: partsOf([content]), ...(messageId === undefined ? {} : { messageId }) };
  if (kind === 'userMessage') return { kind, ...common, dropped: false };
  return { kind, ...common, lastAt: until, closed: false, ...(isAgents ? { asUser: true } : {}), ...parent };
}

function grown(entry: UserMessage | AgentMessage, chunk: Chunk): Entry {
  const parts = addContent(entry.parts, chunk.content);
  return entry.kind === 'userMessage' ? { ...entry, parts } : { ...entry, parts, lastAt: chunk.until ?? chunk.at };
}

/** Appends a block to the parts of a message; text joins the text before it. */
export function addContent(parts: Vector<Part>, content: Chunk['content']): Vector<Part> {
  if (content.type !== 'text') return parts.push(content);
  const index = parts.length - 1;
  const last = parts.at(index);
  if (last?.type !== 'text') return parts.push({ type: 'text', text: content.text, continues: false });
  if (last.text.length >= maxPartLength) return parts.push({ type: 'text', text: content.text, continues: true });
  return parts.set(index, { ...last, text: joined(last.text, content.text) });
}

/**
 * An engine keeps all pieces of a joined text until a character of it is read. For short chunks they take several times
 * the text's memory.
 */
function joined(text: string, more: string): string {
  const all = text + more;
  if (all.length >= maxPartLength) all.charCodeAt(0);
  return all;
}

/** The parts of a message that arrives complete. */
export function partsOf(content: readonly Chunk['content'][]): Vector<Part> {
  return content.reduce((parts, block) => addContent(parts, block), Vector.empty<Part>());
}

/** Some agents send the prompt back as user chunks while its turn runs; the thread must not show it twice (item 93). */
function withoutEcho(thread: Thread, chunk: Chunk): { readonly thread: Thread; readonly shown: boolean } {
  const { turn } = thread;
  if (!turn) return { thread, shown: true };
  if (chunk.content.type !== 'text') {
    const sent = thread.entries.at(turn.firstIndex);
    const known = sent?.kind === 'userMessage' && [...sent.parts].some((part) => isEchoOf(part, chunk.content));
    return { thread, shown: !known };
  }
  const echoed = turn.echoed + chunk.content.text;
  if (!turn.promptText.startsWith(echoed) && turn.promptText.trim() !== echoed.trim()) return { thread, shown: true };
  return { thread: { ...thread, turn: { ...turn, echoed } }, shown: false };
}

/** Compares an image by its type and a file by its URI: the thread stores less of them than was sent. */
export function isEchoOf(part: Part, content: Chunk['content']): boolean {
  if (part.type === 'image' && content.type === 'image') return true;
  const uri = uriOf(content);
  return (uri !== undefined && uri === uriOf(part)) || JSON.stringify(part) === JSON.stringify(content);
}

function uriOf(part: Part | Chunk['content']): string | undefined {
  if (part.type === 'resource_link') return part.uri;
  return part.type === 'resource' ? part.resource.uri : undefined;
}

/** Closes the last message: the next chunk begins a new one. */
export function closeMessages(thread: Thread): Thread {
  const index = thread.entries.length - 1;
  const last = thread.entries.at(index);
  if (!last || (last.kind !== 'agentMessage' && last.kind !== 'thought') || last.closed) return thread;
  return { ...thread, entries: thread.entries.set(index, { ...last, closed: true }) };
}
