import type { ToolCallFields } from '../acp/decodeUpdate';
import { Vector } from '../base/vector';
import { entryIdAt, indexOfEntry, type AgentMessage, type EntryId, type Thread, type ToolCall } from './thread';

/** The longest chain of subagents. It limits the work that an agent can cause. */
const maxDepth = 64;

/** The parent of an entry: the call `parentId`, or a call that the agent has not sent yet. */
export type Parentage = Pick<ToolCall, 'parentId' | 'parentCallId'>;

/** The parent fields of an entry of a call's subagent; none for the agent itself. */
export function parentage(thread: Thread, parentToolCallId: string | undefined): Parentage {
  if (parentToolCallId === undefined) return {};
  const index = thread.toolCalls.get(parentToolCallId);
  return index === undefined ? { parentCallId: parentToolCallId } : { parentId: entryIdAt(index) };
}

/** Remembers that the entry at `index` belongs to a call that is not known yet. */
export function awaitParent(thread: Thread, index: number, { parentCallId }: Parentage): Thread {
  if (parentCallId === undefined) return thread;
  const early = thread.awaited.get(parentCallId) ?? Vector.empty();
  return { ...thread, awaited: thread.awaited.set(parentCallId, early.push(index)) };
}

/** Assigns earlier entries of a subagent to its call, now that it is known. */
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

/** The call and its ancestors; none of them can be its child. */
export function ancestors(thread: Thread, id: EntryId): ReadonlySet<EntryId> {
  const found = new Set<EntryId>();
  for (let at: EntryId | undefined = id; at !== undefined && found.size < maxDepth;) {
    found.add(at);
    const entry = thread.entries.at(indexOfEntry(at));
    at = entry?.kind === 'toolCall' ? entry.parentId : undefined;
  }
  return found;
}

/** True if a call stands for a subagent with a session of its own, or belongs to one. */
export function isOfChildSession(thread: Thread, id: EntryId): boolean {
  return [...ancestors(thread, id)].some((at) => {
    const entry = thread.entries.at(indexOfEntry(at));
    return entry?.kind === 'toolCall' && entry.childSession !== undefined;
  });
}

/** The name of an entry's subagent, by the title of its call; `undefined` for an entry of the agent itself. */
export function subagentOf(thread: Thread, { parentId }: Parentage): string | undefined {
  const parent = parentId === undefined ? undefined : thread.entries.at(indexOfEntry(parentId));
  return parent?.kind === 'toolCall' ? parent.title : undefined;
}

/** The same for a call in a request, which may not be known yet. */
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
