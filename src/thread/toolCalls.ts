import type { ToolCallFields, ToolContent } from '../acp/decodeUpdate';
import { sameJson } from '../base/json';
import { defaultTitle } from '../acp/defaultTitles';
import type { ThreadAction } from './actions';
import { closeMessages } from './messageChunks';
import { adoptEarly, ancestors, awaitParent, isOfChildSession, parentage, type Parentage } from './subagents';
import { entryIdAt, isOpen, isOpenStatus, type LocalEnd, type Thread, type ToolCall } from './thread';

/**
 * Creates or merges a tool call. `tool_call`, `tool_call_update` and the call inside a permission request all come
 * here, in any order and number: absent keeps, a list replaces, an unknown id creates (items 95 to 99).
 */
export function patchToolCall(thread: Thread, fields: ToolCallFields, at: number): Thread {
  const index = thread.toolCalls.get(fields.toolCallId);
  const call = index === undefined ? undefined : thread.entries.at(index);
  if (index === undefined || call?.kind !== 'toolCall') return create(thread, fields, at);
  // Agents send many updates with only `_meta`; they change nothing here.
  return saysNothing(call, fields) ? thread : replace(thread, index, call, merged(thread, call, fields, at));
}

/** The most items of content in a streamed card; the oldest are dropped. It limits the cost of adding one. */
const maxStreamedContent = 1_000;

/** Appends to the content of a call; an unknown call is created (v2 `tool_call_content_chunk`). */
export function appendToolContent(
  thread: Thread,
  { toolCallId, content, at }: Extract<ThreadAction, { type: 'toolCall/contentAppended' }>,
): Thread {
  const index = thread.toolCalls.get(toolCallId);
  const call = index === undefined ? undefined : thread.entries.at(index);
  const known: readonly ToolContent[] = call?.kind === 'toolCall' ? call.content : [];
  const patched = { toolCallId, content: [...known, ...content].slice(-maxStreamedContent) };
  return patchToolCall(thread, patched, at);
}

function saysNothing(call: ToolCall, { toolCallId: _id, parentToolCallId, ...fields }: ToolCallFields): boolean {
  if (parentToolCallId !== undefined && !hasParent(call)) return false;
  const known: Readonly<Record<string, unknown>> = {
    title: call.isUntitled ? undefined : call.title,
    name: call.name,
    kind: call.toolKind,
    status: call.localEnd === undefined ? call.status : undefined,
  };
  return Object.entries(fields).every(([key, value]) => key in known && known[key] === value);
}

/** Creates a card, which closes the message above it. An update of an existing card closes nothing. */
function create(before: Thread, fields: ToolCallFields, at: number): Thread {
  const thread = closeMessages(before);
  const index = thread.entries.length;
  const blank: ToolCall = {
    kind: 'toolCall',
    id: entryIdAt(index),
    at,
    toolCallId: fields.toolCallId,
    title: fields.name ?? defaultTitle(fields.kind ?? 'other'),
    isUntitled: true,
    toolKind: 'other',
    status: 'pending',
    content: [],
    locations: [],
    permissions: [],
  };
  const call = merged(thread, blank, fields, at);
  const created = {
    ...thread,
    entries: thread.entries.push(call),
    toolCalls: thread.toolCalls.set(fields.toolCallId, index),
    open: isOpen(call) ? [...thread.open, index] : thread.open,
  };
  return awaitParent(adoptEarly(created, call), index, call);
}

function hasParent({ parentId, parentCallId }: Parentage): boolean {
  return parentId !== undefined || parentCallId !== undefined;
}

/** The parent call. An agent may name it late, or name one that is below the call. */
function parentOf(thread: Thread, call: ToolCall, { toolCallId, parentToolCallId }: ToolCallFields): Parentage {
  if (hasParent(call) || parentToolCallId === toolCallId) return {};
  const parent = parentage(thread, parentToolCallId);
  return parent.parentId !== undefined && ancestors(thread, parent.parentId).has(call.id) ? {} : parent;
}

function merged(thread: Thread, call: ToolCall, fields: ToolCallFields, at: number): ToolCall {
  const next: { -readonly [K in keyof ToolCall]: ToolCall[K] } = { ...call, ...parentOf(thread, call, fields) };
  if (fields.name !== undefined && fields.name !== null) next.name = fields.name;
  if (fields.name === null) delete next.name;
  if (fields.kind !== undefined) next.toolKind = fields.kind;
  if (fields.title === null) {
    next.title = next.name ?? defaultTitle(next.toolKind);
    next.isUntitled = true;
  } else if (fields.title !== undefined && fields.title !== '') {
    next.title = fields.title;
    delete next.isUntitled;
  }
  if (fields.canCancel) next.canCancel = true;
  else if (fields.canCancel === false) delete next.canCancel;
  if (fields.content !== undefined) next.content = fields.content;
  if (fields.locations !== undefined) next.locations = fields.locations;
  if (fields.rawInput !== undefined) {
    next.rawInput = fields.rawInput;
    if (!sameJson(fields.rawInput, call.rawInput)) delete next.patchLines;
  }
  if (fields.patchLines !== undefined) next.patchLines = fields.patchLines;
  if (fields.rawOutput !== undefined) next.rawOutput = fields.rawOutput;
  if (fields.wasUnasked) next.wasUnasked = true;
  if (fields.notRun !== undefined) next.notRun = fields.notRun;
  if (fields.isBackground) next.isBackground = true;
  if (fields.childSession !== undefined) next.childSession = fields.childSession;
  if (fields.tokens !== undefined) next.tokens = fields.tokens;
  if (fields.status !== undefined) {
    next.status = fields.status;
    // The agent's status overrides the assumption after Stop, but only a final one clears the mark.
    if (
      fields.status === 'completed' ||
      fields.status === 'failed' ||
      fields.status === 'cancelled' ||
      call.localEnd === 'unfinished'
    )
      delete next.localEnd;
  }
  if (isOpen(next)) delete next.endedAt;
  else next.endedAt ??= at;
  return next;
}

/**
 * Closes every open call: at once on Stop (item 171), at the end of the turn (real agents do leave them open), and when
 * the agent's process ends.
 * @param ofTurn a subagent with a session of its own goes on: the agent says when that ends
 */
export function endOpenCalls(thread: Thread, localEnd: LocalEnd, at: number, ofTurn: boolean): Thread {
  if (thread.open.length === 0) return thread;
  const open = ofTurn ? thread.open.filter((index) => isOfChildSession(thread, entryIdAt(index))) : [];
  let { entries } = thread;
  for (const index of thread.open) {
    const call = entries.at(index);
    if (call?.kind === 'toolCall' && isOpen(call) && !open.includes(index))
      entries = entries.set(index, {
        ...call,
        localEnd,
        ...(localEnd === 'cancelled' ? { wasStopped: true as const } : {}),
        endedAt: at,
      });
  }
  return { ...thread, entries, open };
}

function replace(known: Thread, index: number, before: ToolCall, after: ToolCall): Thread {
  // Text without an id after the end of a call is most likely about it, so it begins a new message.
  const last = known.entries.at(known.entries.length - 1);
  const isNamed = last !== undefined && 'messageId' in last && last.messageId !== undefined;
  const thread = isOpenStatus(before.status) && !isOpenStatus(after.status) && !isNamed ? closeMessages(known) : known;
  const late = before.parentCallId === undefined ? after : {};
  const open = isOpen(after)
    ? isOpen(before)
      ? thread.open
      : [...thread.open, index]
    : thread.open.filter((item) => item !== index);
  return awaitParent({ ...thread, entries: thread.entries.set(index, after), open }, index, late);
}
