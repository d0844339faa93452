import type { PermissionParams } from '../acp/decodeRequest';
import type { ToolCallFields } from '../acp/decodeUpdate';
import {
  changedSubject,
  type PermissionSubject,
  type RequestWords,
  saidBy,
  type SubjectFields,
  subjectOf,
  subjectText,
} from '../permission/subject';
import type { ThreadAction } from './actions';
import { type PendingPermission, type Thread, type ToolCall, type Waited, waitsForUser } from './thread';
import { patchToolCall } from './toolCalls';

/** Shows a permission request on its call, with its current subject. */
export function requestPermission(
  thread: Thread,
  action: Extract<ThreadAction, { type: 'permission/requested' }>,
): Thread {
  const { fields, requestId, options, words = {}, assessment, isChecking, isOwn, at } = action;
  const subject = subjectIn(thread, fields, words, options);
  const [patched, index, call] = withCall(thread, action);
  const permission: PendingPermission = {
    requestId,
    revision: 0,
    changes: 0,
    subject,
    ...(assessment ? { assessment } : {}),
    ...(isChecking ? { isChecking } : {}),
    ...(isOwn ? { isOwn } : {}),
  };
  return {
    ...patched,
    entries: patched.entries.set(index, {
      ...call,
      permissions: [...call.permissions, permission],
      waited: waitedUntil(call.waited, true, at),
    }),
    waiting: [...patched.waiting, { requestId, index, at }],
  };
}

/**
 * The subject of a request in this thread: its own fields override those of its call.
 * @param fields of its call, or of the card that it gets.
 */
export function subjectIn(
  thread: Thread,
  fields: ToolCallFields,
  words: RequestWords,
  options: PermissionParams['options'],
): PermissionSubject {
  return subjectOf(fields, knownOf(thread, fields.toolCallId), words, options);
}

/**
 * Applies an update of a call to its pending requests. A changed request counts as a new one: it has another name
 * (`nameOf`), is assessed again, and shows its earlier subject.
 */
export function changePermissions(
  thread: Thread,
  toolCallId: string,
  update: (subject: PermissionSubject) => SubjectFields,
): Thread {
  const index = thread.toolCalls.get(toolCallId);
  const call = index === undefined ? undefined : thread.entries.at(index);
  if (index === undefined || call?.kind !== 'toolCall' || call.permissions.length === 0) return thread;
  const permissions = call.permissions.map((permission) => {
    const subject = changedSubject(permission.subject, update(permission.subject));
    return subject ? changed(permission, subject) : permission;
  });
  return permissions.every((permission, at) => permission === call.permissions[at])
    ? thread
    : { ...thread, entries: thread.entries.set(index, { ...call, permissions }) };
}

function changed(
  { assessment: _assessment, isUnassessed: _isUnassessed, ...before }: PendingPermission,
  subject: PermissionSubject,
): PendingPermission {
  return {
    ...before,
    subject,
    revision: before.revision + 1,
    changes: before.changes + 1,
    changedFrom: subjectText(before.subject),
    isChecking: true,
  };
}

/** Takes the result of an assessment, or its failure. The card is shown anew, so the request gets a new name. */
export function assessPermission(
  thread: Thread,
  { requestId, assessment }: Extract<ThreadAction, { type: 'permission/assessed' }>,
): Thread {
  const [index, call, permission] = waitingPermission(thread, requestId);
  if (!permission) return thread;
  const { isChecking: _isChecking, ...rest } = permission;
  const assessed: PendingPermission = {
    ...rest,
    revision: rest.revision + 1,
    ...(assessment ? { assessment } : { isUnassessed: true }),
  };
  return {
    ...thread,
    entries: thread.entries.set(index, {
      ...call,
      permissions: call.permissions.map((item) => (item === permission ? assessed : item)),
    }),
  };
}

export function resolvePermission(
  thread: Thread,
  { requestId, choice, rules, at }: Extract<ThreadAction, { type: 'permission/resolved' }>,
): Thread {
  const [index, call, permission] = waitingPermission(thread, requestId);
  if (!permission) return thread;
  const permissions = call.permissions.filter((item) => item !== permission);
  const over = { ...call, permissions, waited: waitedUntil(call.waited, permissions.length > 0, at) };
  const { decidedBy: _decidedBy, ...rest } = over;
  const answered = choice && {
    ...rest,
    decision: choice,
    decidedOn: subjectText(permission.subject),
    ...(rules ? { decidedBy: rules } : {}),
  };
  return {
    ...thread,
    entries: thread.entries.set(index, answered ?? over),
    waiting: thread.waiting.filter((item) => item.requestId !== requestId),
  };
}

/** Records the answer of a rule on its call, where the user can see it later. */
export function answerPermission(
  thread: Thread,
  action: Extract<ThreadAction, { type: 'permission/answered' }>,
): Thread {
  const { fields, choice, rules, words = {} } = action;
  const decidedOn = subjectText(subjectIn(thread, fields, words, []));
  const [patched, index, call] = withCall(thread, action);
  return {
    ...patched,
    entries: patched.entries.set(index, { ...call, decision: choice, decidedOn, decidedBy: rules }),
  };
}

/** A pending request. @param requestId the one that does not change, as in `Thread.waiting`. */
export function pendingPermission(thread: Thread, requestId: string): PendingPermission | undefined {
  return waitingPermission(thread, requestId)[2];
}

/** All pending requests, in the order in which they came. */
export function pendingPermissions(thread: Thread): PendingPermission[] {
  return thread.waiting.flatMap(({ requestId, index }) => {
    const call = thread.entries.at(index);
    return (
      (call?.kind === 'toolCall' ? call.permissions.find((item) => item.requestId === requestId) : undefined) ?? []
    );
  });
}

/**
 * The name of a request in its current form. The panel, clicks, keys and commands use this name, so an answer to an
 * earlier form has no effect.
 */
export function nameOf({ requestId, revision }: Pick<PendingPermission, 'requestId' | 'revision'>): string {
  return revision === 0 ? requestId : `${requestId}.${revision}`;
}

function waitingPermission(
  thread: Thread,
  requestId: string,
): [index: number, call: ToolCall, permission: PendingPermission] | [-1, undefined, undefined] {
  const index = thread.waiting.find((item) => item.requestId === requestId)?.index;
  const call = index === undefined ? undefined : thread.entries.at(index);
  const permission =
    call?.kind === 'toolCall' ? call.permissions.find((item) => item.requestId === requestId) : undefined;
  return index === undefined || call?.kind !== 'toolCall' || !permission
    ? [-1, undefined, undefined]
    : [index, call, permission];
}

/** The thread with the request's call, updated with the request's fields. */
function withCall(
  thread: Thread,
  { fields, words, at }: Pick<Extract<ThreadAction, { type: 'permission/requested' }>, 'fields' | 'words' | 'at'>,
): [thread: Thread, index: number, call: ToolCall] {
  const {
    toolCallId,
    title,
    status: _status,
    kind: _kind,
    content: _content,
    locations: _locations,
    rawInput: _rawInput,
    ...rest
  } = fields;
  const isKnown = thread.toolCalls.get(toolCallId) !== undefined;
  // In v1 the request repeats its call, often in part, and with a status that goes back to `pending`; in v2 it is an
  // update.
  const isUpdate = !isKnown || words !== undefined;
  const said = isUpdate
    ? { ...fields, ...(!isKnown && !title && words?.title ? { title: words.title } : {}) }
    : { ...rest, ...saidBy(fields), toolCallId };
  const patched = patchToolCall(thread, said, at);
  const index = patched.toolCalls.get(toolCallId)!;
  return [patched, index, patched.entries.at(index) as ToolCall];
}

function knownOf(thread: Thread, toolCallId: string): SubjectFields | undefined {
  const index = thread.toolCalls.get(toolCallId);
  const call = index === undefined ? undefined : thread.entries.at(index);
  if (call?.kind !== 'toolCall') return undefined;
  // A title from Parley, or one that only repeats the call's name or kind, has no information.
  const saysNothing = call.isUntitled || call.title === call.name || call.title.toLowerCase() === call.toolKind;
  const title = saysNothing ? undefined : call.title;
  return {
    ...(title === undefined ? {} : { title }),
    kind: call.toolKind,
    content: call.content,
    locations: call.locations,
    rawInput: call.rawInput,
  };
}

/** Counts the time in which a turn waits for the user, with one request or several at once. */
export function countWait(before: Thread, after: Thread, at: number): Thread {
  const { turn } = after;
  if (!turn || before === after) return after;
  const waits = waitsForUser(after);
  if (!waits && !turn.waited) return after;
  const waited = waitedUntil(turn.waited, waits, at);
  return waited === turn.waited ? after : { ...after, turn: { ...turn, waited } };
}

/** @param waits whether something is now pending @returns the same object if that did not change */
function waitedUntil(waited: Waited = none, waits: boolean, at: number): Waited {
  const { ms, since } = waited;
  if (waits === (since !== undefined)) return waited;
  return waits ? { ms, since: at } : { ms: ms + Math.max(0, at - since!) };
}

const none: Waited = { ms: 0 };
