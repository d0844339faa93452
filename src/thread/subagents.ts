import type { ToolCallFields } from '../acp/decodeUpdate';
import { Vector } from '../base/vector';
import { entryIdAt, indexOfEntry, type AgentMessage, type EntryId, type Thread, type ToolCall } from './thread';

/** A chain of subagents that is longer than this is none. It bounds what an agent can make us walk. */
const maxDepth = 64;

/** Whose an entry is: of the call `parentId`, or of a call that the agent has not sent yet. */
export type Parentage = Pick<ToolCall, 'parentId' | 'parentCallId'>;

/** The fields of an entry for the call whose subagent speaks or acts; none for the agent itself. */
export function parentage(thread: Thread, parentToolCallId: string | undefined): Parentage {
  if (parentToolCallId === undefined) return {};
  const index = thread.toolCalls.get(parentToolCallId);
  return index === undefined ? { parentCallId: parentToolCallId } : { parentId: entryIdAt(index) };
}

/** Remembers that the entry at `index` belongs to a call which is not known yet. */
export function awaitParent(thread: Thread, index: number, { parentCallId }: Parentage): Thread {
  if (parentCallId === undefined) return thread;
  const early = thread.awaited.get(parentCallId) ?? Vector.empty();
  return { ...thread, awaited: thread.awaited.set(parentCallId, early.push(index)) };
}

/** A call is known from now on: what came of its subagent before it is its own. */
export function adoptEarly(thread: Thread, call: ToolCall): Thread {
  const early = thread.awaited.get(call.toolCallId);
  if (!early) return thread;
  const above = ancestors(thread, call.id);
  let { entries } = thread;
  for (const index of early) {
    const entry = entries.at(index) as AgentMessage | ToolCall;
    const { parentCallId, ...rest } = entry;
    if (parentCallId === call.toolCallId && !above.has(entry.id))
      entries = entries.set(index, { ...rest, parentId: call.id } as AgentMessage | ToolCall);
  }
  return { ...thread, entries };
}

/** The call and the calls that it belongs to; a child of it can be none of them. */
export function ancestors(thread: Thread, id: EntryId): ReadonlySet<EntryId> {
  const found = new Set<EntryId>();
  for (let at: EntryId | undefined = id; at !== undefined && found.size < maxDepth;) {
    found.add(at);
    const entry = thread.entries.at(indexOfEntry(at));
    at = entry?.kind === 'toolCall' ? entry.parentId : undefined;
  }
  return found;
}

/** What the subagent of an entry is called, by the title of its call; `undefined` for an entry of the agent itself. */
export function subagentOf(thread: Thread, { parentId }: Parentage): string | undefined {
  const parent = parentId === undefined ? undefined : thread.entries.at(indexOfEntry(parentId));
  return parent?.kind === 'toolCall' ? parent.title : undefined;
}

/** The same for a call as a request names it, which may not be known yet. */
export function subagentOfCall(
  thread: Thread,
  { toolCallId, parentToolCallId }: Pick<ToolCallFields, 'toolCallId' | 'parentToolCallId'>,
): string | undefined {
  const index = thread.toolCalls.get(toolCallId);
  const call = index === undefined ? undefined : thread.entries.at(index);
  return subagentOf(
    thread,
    call?.kind === 'toolCall' && call.parentId !== undefined ? call : parentage(thread, parentToolCallId),
  );
}
