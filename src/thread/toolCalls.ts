import type { ToolCallFields, ToolContent } from '../acp/decodeUpdate';
import type { ThreadAction } from './actions';
import { closeMessages, parentIdOf } from './messages';
import { type Entry, entryIdAt, isOpen, type LocalEnd, type PendingPermission, type Thread, type ToolCall } from './thread';

/**
 * Creates or merges a tool call. `tool_call`, `tool_call_update` and the call inside a permission request all come
 * here, in any order and any number of times: absent keeps, a list replaces, an unknown id creates (items 95 to 99).
 */
export function patchToolCall(thread: Thread, fields: ToolCallFields, at: number): Thread {
  const index = thread.toolCalls.get(fields.toolCallId);
  const call = index === undefined ? undefined : thread.entries.at(index);
  if (index === undefined || call?.kind !== 'toolCall') return create(thread, fields, at);
  // An update that says nothing new costs nothing: agents send many that only carry `_meta`.
  return saysNothing(call, fields) ? thread : replace(thread, index, call, merged(thread, call, fields, at));
}

/** A card that is streamed into keeps this many items of content, the newest; what it costs to add one is bounded by it. */
const maxStreamedContent = 1_000;

/** Appends to the content of a call; one that is not known is created (v2 `tool_call_content_chunk`). */
export function appendToolContent(thread: Thread, { toolCallId, content, at }: Extract<ThreadAction, { type: 'toolCall/contentAppended' }>): Thread {
  const index = thread.toolCalls.get(toolCallId);
  const call = index === undefined ? undefined : thread.entries.at(index);
  const known: readonly ToolContent[] = call?.kind === 'toolCall' ? call.content : [];
  const patched = { toolCallId, content: [...known, ...content].slice(-maxStreamedContent) };
  return patchToolCall(call ? thread : closeMessages(thread), patched, at);
}

function saysNothing(call: ToolCall, { toolCallId: _id, parentToolCallId, ...fields }: ToolCallFields): boolean {
  if (parentToolCallId !== undefined && call.parentId === undefined) return false;
  const known: Readonly<Record<string, unknown>> = { title: call.title, name: call.name, kind: call.toolKind, status: call.localEnd === undefined ? call.status : undefined };
  return Object.entries(fields).every(([key, value]) => key in known && known[key] === value);
}

function create(thread: Thread, fields: ToolCallFields, at: number): Thread {
  const index = thread.entries.length;
  const blank: ToolCall = {
    kind: 'toolCall',
    id: entryIdAt(index),
    at,
    toolCallId: fields.toolCallId,
    title: fields.name ?? defaultTitles[fields.kind ?? 'other'],
    toolKind: 'other',
    status: 'pending',
    content: [],
    locations: [],
    permissions: [],
  };
  const call = merged(thread, blank, fields, at);
  return {
    ...thread,
    entries: thread.entries.push(call),
    toolCalls: thread.toolCalls.set(fields.toolCallId, index),
    open: isOpen(call) ? [...thread.open, index] : thread.open,
  };
}

/** For agents that give no title at all, as for a bare failed update (item 98). */
const defaultTitles: Readonly<Record<ToolCall['toolKind'], string>> = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Search',
  execute: 'Run a command',
  think: 'Think',
  fetch: 'Fetch',
  switch_mode: 'Switch mode',
  other: 'Tool call',
};

function merged(thread: Thread, call: ToolCall, fields: ToolCallFields, at: number): ToolCall {
  const next: { -readonly [K in keyof ToolCall]: ToolCall[K] } = { ...call };
  const parentId = parentIdOf(thread, fields.parentToolCallId);
  if (parentId !== undefined && parentId !== call.id) next.parentId = parentId;
  if (fields.name !== undefined && fields.name !== null) next.name = fields.name;
  if (fields.name === null) delete next.name;
  if (fields.kind !== undefined) next.toolKind = fields.kind;
  if (fields.title === null) next.title = next.name ?? defaultTitles[next.toolKind];
  else if (fields.title !== undefined && fields.title !== '') next.title = fields.title;
  if (fields.canCancel) next.canCancel = true;
  else if (fields.canCancel === false) delete next.canCancel;
  if (fields.content !== undefined) next.content = fields.content;
  if (fields.locations !== undefined) next.locations = fields.locations;
  if (fields.rawInput !== undefined) next.rawInput = fields.rawInput;
  if (fields.rawOutput !== undefined) next.rawOutput = fields.rawOutput;
  if (fields.status !== undefined) {
    next.status = fields.status;
    // What the agent says outranks what we assumed when the person pressed Stop, but only a final word ends the mark.
    if (fields.status === 'completed' || fields.status === 'failed' || fields.status === 'cancelled' || call.localEnd === 'unfinished') delete next.localEnd;
  }
  if (isOpen(next)) delete next.endedAt;
  else next.endedAt ??= at;
  return next;
}

/**
 * Shows a question on its call. Which of the two, call or question, carries the better title and input differs from
 * agent to agent, so each field keeps the one that says more; a status that goes back to `pending` is not taken.
 */
export function requestPermission(thread: Thread, action: Extract<ThreadAction, { type: 'permission/requested' }>): Thread {
  const { fields, requestId, options, words, assessment, at } = action;
  const known = thread.toolCalls.get(fields.toolCallId);
  const before = known === undefined ? undefined : thread.entries.at(known);
  const patched = patchToolCall(thread, words ? named(fields, before, words.title) : before?.kind === 'toolCall' ? better(before, fields) : fields, at);
  const index = patched.toolCalls.get(fields.toolCallId)!;
  const call = patched.entries.at(index) as ToolCall;
  const permission: PendingPermission = { requestId, title: fields.title || call.title, options, ...words, ...(assessment ? { assessment } : {}) };
  return {
    ...patched,
    entries: patched.entries.set(index, { ...call, permissions: [...call.permissions, permission] }),
    waiting: [...patched.waiting, { requestId, index, at }],
  };
}

/** A question with words of its own patches its call as any update does; a call that is new to us and has no title is named by them. */
function named(fields: ToolCallFields, before: Entry | undefined, title: string): ToolCallFields {
  return before !== undefined || fields.title ? fields : { ...fields, title };
}

function better(call: ToolCall, fields: ToolCallFields): ToolCallFields {
  const { title, content, rawInput, status: _status, ...rest } = fields;
  return {
    ...rest,
    ...(title && title.length > call.title.length ? { title } : {}),
    ...(content !== undefined && content.length > 0 ? { content } : {}),
    ...(rawInput !== undefined && isBlank(call.rawInput) ? { rawInput } : {}),
  };
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

export function resolvePermission(thread: Thread, { requestId, choice }: Extract<ThreadAction, { type: 'permission/resolved' }>): Thread {
  const waiting = thread.waiting.find((item) => item.requestId === requestId);
  const call = waiting && thread.entries.at(waiting.index);
  if (!waiting || call?.kind !== 'toolCall') return thread;
  const permissions = call.permissions.filter((permission) => permission.requestId !== requestId);
  const { decidedBy: _decidedBy, ...rest } = call;
  return {
    ...thread,
    entries: thread.entries.set(waiting.index, choice ? { ...rest, permissions, decision: choice } : { ...call, permissions }),
    waiting: thread.waiting.filter((item) => item !== waiting),
  };
}

/** Puts the answer of a rule on its call, where it stays to be seen. */
export function answerPermission(thread: Thread, { fields, choice, rules, at }: Extract<ThreadAction, { type: 'permission/answered' }>): Thread {
  const known = thread.toolCalls.get(fields.toolCallId);
  const before = known === undefined ? undefined : thread.entries.at(known);
  const patched = patchToolCall(thread, before?.kind === 'toolCall' ? better(before, fields) : fields, at);
  const index = patched.toolCalls.get(fields.toolCallId)!;
  return { ...patched, entries: patched.entries.set(index, { ...(patched.entries.at(index) as ToolCall), decision: choice, decidedBy: rules }) };
}

/** Closes every call that the agent left open: at once on Stop (item 171), and when the turn ends (real agents do leave them). */
export function endOpenCalls(thread: Thread, localEnd: LocalEnd, at: number): Thread {
  if (thread.open.length === 0) return thread;
  let { entries } = thread;
  for (const index of thread.open) {
    const call = entries.at(index);
    if (call?.kind === 'toolCall' && isOpen(call)) entries = entries.set(index, { ...call, localEnd, endedAt: at });
  }
  return { ...thread, entries, open: [] };
}

function replace(thread: Thread, index: number, before: ToolCall, after: ToolCall): Thread {
  const open = isOpen(after) ? (isOpen(before) ? thread.open : [...thread.open, index]) : thread.open.filter((item) => item !== index);
  return { ...thread, entries: thread.entries.set(index, after), open };
}
