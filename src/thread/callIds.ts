import type { PermissionParams } from '../acp/decodeRequest';
import type { ToolCallFields, Update } from '../acp/decodeUpdate';
import { isObject, sameJson } from '../base/json';
import { beginsTurn, isOpen, isOpenStatus, type Thread, type ToolCall } from './thread';

/** The most entries searched for the beginning of a turn in a replay. A longer turn counts as one. */
const maxLookedThrough = 4_096;

/** The most concurrent calls with one id. */
const maxAtOnce = 16;

/**
 * Distinguishes calls with the same id in a session: models behind some servers number them from 0 in each round (v1).
 * The thread uses the agent's id for the first call and its own name for each later one, so that all data by id (cards,
 * evidence, terminals, requests, the transcript) belongs to one call.
 */
export class CallIds {
  /** The number of calls by id, if there are several. */
  readonly #counts = new Map<string, number>();
  /** Ids of ended calls that were announced again without details. */
  readonly #announced = new Set<string>();

  /** Ids of calls that were announced while an earlier one with the same id ran. */
  readonly #atOnce = new Set<string>();

  constructor(private readonly thread: () => Thread) {}

  /** An update with the thread's call ids. */
  inUpdate(update: Update): Update {
    if (update.type === 'toolCall')
      return { ...update, fields: this.#resolved(update.fields, update.announces ? 'announced' : 'updated') };
    if (!('parentToolCallId' in update) || update.parentToolCallId === undefined) return update;
    const parentToolCallId = this.#newest(update.parentToolCallId);
    return parentToolCallId === update.parentToolCallId ? update : { ...update, parentToolCallId };
  }

  /** A permission request with the thread's call ids. In v2, which has its own words for it, each id is one call. */
  inRequest(params: PermissionParams): PermissionParams {
    return params.toolCall && params.title === undefined
      ? { ...params, toolCall: this.#resolved(params.toolCall, 'asked') }
      : params;
  }

  /**
   * The thread's name of the call that an elicitation is for. An ended call asks for nothing, so it is the next one
   * with that id.
   */
  inElicitation(toolCallId: string): string {
    const known = this.#newest(toolCallId);
    const index = this.thread().toolCalls.get(known);
    const call = index === undefined ? undefined : this.thread().entries.at(index);
    return call?.kind === 'toolCall' && !isOpen(call) ? this.#next(toolCallId) : known;
  }

  #resolved(fields: ToolCallFields, how: 'announced' | 'updated' | 'asked'): ToolCallFields {
    const said = fields.toolCallId;
    const newest = this.#newest(said);
    const known = how === 'updated' && this.#atOnce.has(said) ? this.#oldestOpen(said, newest) : newest;
    const index = this.thread().toolCalls.get(known);
    const call = index === undefined ? undefined : this.thread().entries.at(index);
    const toolCallId =
      call?.kind === 'toolCall' && this.#isAnother(call, index!, fields, how) ? this.#next(said) : known;
    const parentToolCallId = fields.parentToolCallId === undefined ? undefined : this.#newest(fields.parentToolCallId);
    const own =
      how === 'announced' && call?.kind === 'toolCall' && toolCallId === known ? withoutBlanks(call, fields) : fields;
    if (toolCallId === said && parentToolCallId === fields.parentToolCallId) return own;
    const content = own.content?.map((item) =>
      item.type === 'terminal' && item.terminalId === said ? { ...item, terminalId: toolCallId } : item,
    );
    return {
      ...own,
      toolCallId,
      ...(content ? { content } : {}),
      ...(parentToolCallId === undefined ? {} : { parentToolCallId }),
    };
  }

  #isAnother(call: ToolCall, index: number, fields: ToolCallFields, how: 'announced' | 'updated' | 'asked'): boolean {
    const { toolCallId } = call;
    const isOver = !isOpenStatus(call.status);
    if (how === 'updated') return this.#announced.delete(toolCallId) && isOver && contradicts(call, fields);
    const isBlank = saysNothing(fields);
    const opens = fields.status === undefined || isOpenStatus(fields.status);
    if (isOfEarlierTurn(this.thread(), index)) return how === 'announced' ? !isBlank || opens : !isBlank || isOver;
    if (how === 'asked' && call.permissions.length > 0 && otherInput(call, fields)) return true;
    if (isOver && isBlank && opens && how === 'announced') this.#announced.add(toolCallId);
    if (!isOver) {
      const isAtOnce = how === 'announced' && opens && isOther(call, fields);
      if (isAtOnce) this.#atOnce.add(fields.toolCallId);
      return isAtOnce;
    }
    return contradicts(call, fields);
  }

  /** The thread's name of the newest call with an id; the id itself if there is at most one. */
  #newest(id: string): string {
    const { toolCalls } = this.thread();
    let count = this.#counts.get(id) ?? 1;
    // Another session of the agent has begun, whose ids are independent.
    if (count > 1 && toolCalls.get(nameOf(id, count)) === undefined) count = 1;
    while (toolCalls.get(nameOf(id, count + 1)) !== undefined) count++;
    if (count > 1) this.#counts.set(id, count);
    else this.#counts.delete(id);
    return nameOf(id, count);
  }

  /** Of several concurrent calls with one id, an update most likely means the oldest. */
  #oldestOpen(id: string, newest: string): string {
    const { toolCalls, entries } = this.thread();
    const count = this.#counts.get(id) ?? 1;
    for (let at = Math.max(1, count - maxAtOnce); at < count; at++) {
      const index = toolCalls.get(nameOf(id, at));
      const call = index === undefined ? undefined : entries.at(index);
      if (call?.kind === 'toolCall' && isOpen(call)) return call.toolCallId;
    }
    return newest;
  }

  #next(id: string): string {
    return nameOf(id, (this.#counts.get(id) ?? 1) + 1);
  }
}

/** No agent has a line break in an id. */
function nameOf(id: string, count: number): string {
  return count === 1 ? id : `${id}\n${count}`;
}

function isOfEarlierTurn({ turn, entries }: Thread, index: number): boolean {
  if (turn) return index < turn.firstIndex;
  for (let at = entries.length - 1; at > Math.max(index, entries.length - maxLookedThrough); at--)
    if (beginsTurn(entries.at(at)!)) return true;
  return false;
}

/** True if fields describe another call: both have a title or an input, and they differ. */
function contradicts(call: ToolCall, fields: ToolCallFields): boolean {
  const title = fields.title ?? '';
  return (
    (!call.isUntitled && !isGeneric(title) && !isGeneric(call.title) && title !== call.title) ||
    otherInput(call, fields)
  );
}

/**
 * True if a call that is announced during another one with its id is new, rather than the same call sent again as its
 * input grows.
 */
function isOther(call: ToolCall, fields: ToolCallFields): boolean {
  const [before, after] = [call.rawInput, fields.rawInput];
  const title = fields.title ?? '';
  if (
    call.isUntitled ||
    isGeneric(title) ||
    isGeneric(call.title) ||
    title.startsWith(call.title) ||
    !isObject(before) ||
    !isObject(after)
  )
    return false;
  return Object.entries(before).some(
    ([name, value]) => typeof value === 'string' && typeof after[name] === 'string' && !after[name].startsWith(value),
  );
}

function otherInput(call: ToolCall, { rawInput }: ToolCallFields): boolean {
  return !isEmpty(rawInput) && !isEmpty(call.rawInput) && !sameJson(rawInput, call.rawInput);
}

/** True if an announcement has no details. */
function saysNothing({ title, content, locations, rawInput, rawOutput }: ToolCallFields): boolean {
  return isGeneric(title ?? '') && [content, locations, rawInput, rawOutput].every(isEmpty);
}

/** The same call again: absent or general fields do not replace known ones. */
function withoutBlanks(call: ToolCall, fields: ToolCallFields): ToolCallFields {
  const { title, kind, status, content, locations, rawInput, rawOutput, ...rest } = fields;
  const reopens = status !== undefined && isOpenStatus(status) && !isOpen(call) && saysNothing(fields);
  return {
    ...rest,
    ...(title === undefined || (isGeneric(title ?? '') && !call.isUntitled) ? {} : { title }),
    ...(kind === undefined || (kind === 'other' && call.toolKind !== 'other') ? {} : { kind }),
    ...(status === undefined || reopens ? {} : { status }),
    ...(isEmpty(content) ? {} : { content }),
    ...(isEmpty(locations) ? {} : { locations }),
    ...(isEmpty(rawInput) ? {} : { rawInput }),
    ...(isEmpty(rawOutput) ? {} : { rawOutput }),
  };
}

function isGeneric(title: string): boolean {
  return title.trim() === '' || /^tool(?:[ _]?(?:call|use))?$/i.test(title.trim());
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** The agent's id for a call of the thread. */
export function agentsId(toolCallId: string): string {
  return toolCallId.split('\n', 1)[0]!;
}
