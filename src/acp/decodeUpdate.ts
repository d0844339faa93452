import type { AvailableCommand, ToolCallLocation } from '@agentclientprotocol/sdk';
import { agentTitle } from './agentTitle';
import { decodePlanUpdate } from './decodePlan';
import { type AccountInfo, decodeClaudeWindow, decodeSuggestion, type PlanWindow } from './decodePlanWindow';
import { type CompactionFields, decodeCompaction } from './decodeCompaction';
import { type DecodedBlock, decodeContentBlock, imageInAddress } from './decodeContent';
import { decodeSubagent, type SubagentUpdate } from './decodeSubagent';
import { type ConfigOption, decodeConfigOptions } from './decodeOptions';
import { type ContextUsage, decodeContextUsage, type TurnUsage } from './decodeUsage';
import { asObject, idOf, integerOf, stringOf, usableOf, wordOf } from '../base/decode';
import { pathOfAddress } from '../base/fileAddress';
import { boundedDepth, isObject, type JsonObject } from '../base/json';
import { type Progress, progressOf } from './progress';
import { isBackgroundCall, notRunOf, parentToolCallOf } from './quirks';
import type { TerminalFields } from './v2/decodeTerminal';

export interface Decoded<T> {
  /** `undefined` if nothing could be decoded. */
  readonly value: T | undefined;
  /** The problems, for the log. Never shown as errors: an agent may be newer than Parley. */
  readonly issues: readonly string[];
}

export const toolKinds = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
] as const;

export const fileOperations = ['add', 'delete', 'modify', 'move', 'copy'] as const;

/** The change to a file; `other` is a word of a later version. */
export type FileOperation = (typeof fileOperations)[number] | 'other';

/**
 * `ToolCallContent` of the schema, with decoded blocks. `oldText` null means that the file is new. A `fileChange` is
 * one file of a diff of v2; `patch` is the part of a git patch about that file, if the agent sent one.
 */
export type ToolContent =
  | { readonly type: 'content'; readonly content: DecodedBlock }
  | { readonly type: 'diff'; readonly path: string; readonly oldText: string | null; readonly newText: string }
  | {
      readonly type: 'fileChange';
      readonly operation: FileOperation;
      readonly path: string;
      readonly oldPath?: string;
      readonly patch?: string;
    }
  | { readonly type: 'terminal'; readonly terminalId: string };

/** A tool call as decoded. An absent field leaves the value unchanged; null clears it, which only v2 does. */
export interface ToolCallFields {
  readonly toolCallId: string;
  readonly title?: string | null;
  readonly name?: string | null;
  readonly kind?: (typeof toolKinds)[number];
  /** `paused` comes from v2 only, and `cancelled` from agents of v1 that extend its schema. */
  readonly status?: Progress | 'paused';
  readonly content?: readonly ToolContent[];
  readonly locations?: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** The agent now accepts `tool_call/cancel` for it (v2). */
  readonly canCancel?: boolean;
  /** The call of the subagent that makes this call. */
  readonly parentToolCallId?: string;
  /** The call did not run: the user rejected it, or the agent itself blocked it. */
  readonly notRun?: 'rejected' | 'blocked';
  /**
   * It stands for a subagent with a session of its own, which this names. Set by `thread/childSessions.ts`, as are its
   * tokens.
   */
  readonly childSession?: string;
  readonly tokens?: number;
  /** Its command goes on after the call has ended. */
  readonly isBackground?: true;
  /** Set by `thread/unaskedWork.ts`, never by the agent. */
  readonly wasUnasked?: true;
  /**
   * Set by Parley, never by the agent: where the hunks of the patch in the raw input begin, by file, before and after.
   */
  readonly patchLines?: readonly (readonly (readonly [before: number, after: number])[])[];
  readonly meta?: JsonObject;
}

export type MessageRole = 'user' | 'agent' | 'thought';

/** `PlanEntry` of the schema, and `cancelled` of v2. */
export interface PlanItem {
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
}

/** The updates of both versions that a thread understands. `other` changes nothing in it. */
export type Update =
  | {
      readonly type: 'chunk';
      readonly role: MessageRole;
      readonly content: DecodedBlock;
      readonly messageId?: string;
      /** The call of the subagent that says this. */ readonly parentToolCallId?: string;
    }
  /** `announces`: the update came as a new call (v1), so its id may repeat an earlier one. */
  | { readonly type: 'toolCall'; readonly fields: ToolCallFields; readonly announces?: true }
  /** One of several plans if it has an id (`plan_update`). */
  | { readonly type: 'plan'; readonly planId?: string; readonly entries: readonly PlanItem[] }
  | { readonly type: 'commands'; readonly commands: readonly AvailableCommand[] }
  | { readonly type: 'mode'; readonly modeId: string }
  /** The whole list, always (item 108). */
  | { readonly type: 'configOptions'; readonly options: readonly ConfigOption[] }
  | { readonly type: 'title'; readonly title: string | undefined }
  | { readonly type: 'usage'; readonly usage: ContextUsage; readonly window?: PlanWindow }
  | { readonly type: 'account'; readonly account: AccountInfo }
  | { readonly type: 'suggestion'; readonly text?: string }
  /** A live event for the user that is not part of the conversation. `other` is a severity of a later version. */
  | {
      readonly type: 'notice';
      readonly severity: 'info' | 'warning' | 'error' | 'other';
      readonly title: string;
      readonly description?: string;
    }
  | { readonly type: 'compaction'; readonly fields: CompactionFields }
  | { readonly type: 'compactionChunk'; readonly compactionId: string; readonly content: DecodedBlock }
  /**
   * A message by its id, at any position (v2). Without content it only announces the message; a list replaces all of
   * the content.
   */
  | {
      readonly type: 'message';
      readonly role: MessageRole;
      readonly messageId: string;
      readonly content?: readonly DecodedBlock[];
      readonly parentToolCallId?: string;
    }
  | {
      readonly type: 'messageChunk';
      readonly role: MessageRole;
      readonly messageId: string;
      readonly content: DecodedBlock;
      readonly parentToolCallId?: string;
    }
  /** One item more in the content of a call (v2); a diff is one item for each file. */
  | { readonly type: 'toolContent'; readonly toolCallId: string; readonly content: readonly ToolContent[] }
  /** A terminal of the agent's own (v2). */
  | { readonly type: 'terminal'; readonly fields: TerminalFields }
  /** Output of it, base64: bytes that may end within a character. */
  | { readonly type: 'terminalBytes'; readonly terminalId: string; readonly data: string }
  | SessionState
  | SubagentUpdate
  | { readonly type: 'other'; readonly tag: string };

/**
 * The agent's state in the session (v2). `other` is a state of a later version, which Parley takes for busy. `error`
 * comes with the stop reason of that name.
 */
export interface SessionState {
  readonly type: 'state';
  readonly state: 'idle' | 'running' | 'requiresAction' | 'other';
  readonly stopReason?: string;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly usage?: TurnUsage;
  /** All work that goes on beside the turn; absent if the agent does not report it, which is not "none". */
  readonly background?: readonly BackgroundItem[];
}

/** One item of `background` (schema v2 `BackgroundWork`). `other` is work that Parley does not know. */
export type BackgroundItem =
  | { readonly type: 'terminal'; readonly terminalId: string }
  | { readonly type: 'toolCall'; readonly toolCallId: string }
  | { readonly type: 'subagent'; readonly sessionId: string }
  | { readonly type: 'other'; readonly description?: string };

/** Decodes `params.update` of `session/update`. Lenient as the schema asks (`x-deserialize-*`), and a little more. */
export function decodeUpdate(raw: unknown): Decoded<Update> {
  return decodeByTag(raw, decodeTagged);
}

/** Decodes an update by its `sessionUpdate` tag; an unusable one has at least one issue. */
export function decodeByTag(
  raw: unknown,
  decodeTagged: (tag: string, update: JsonObject, issue: (text: string) => void) => Update | undefined,
): Decoded<Update> {
  const issues: string[] = [];
  const issue = (text: string) => issues.push(text);
  const update = asObject(raw);
  // Some libraries write the names of updates in their language's style.
  const tag = stringOf(update['sessionUpdate'])
    ?.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
  const value = tag === undefined ? undefined : decodeTagged(tag, update, issue);
  if (value === undefined && issues.length === 0)
    issue(tag === undefined ? 'an update without sessionUpdate' : `update ${tag} could not be used`);
  return { value, issues };
}

function decodeTagged(tag: string, update: JsonObject, issue: (text: string) => void): Update | undefined {
  switch (tag) {
    case 'user_message_chunk':
      return chunk('user', update);
    case 'agent_message_chunk':
      return chunk('agent', update);
    case 'agent_thought_chunk':
      return chunk('thought', update);
    case 'tool_call':
    case 'tool_call_update': {
      const fields = decodeToolCall(update, issue);
      return fields && { type: 'toolCall', fields, ...(tag === 'tool_call' ? { announces: true } : {}) };
    }
    case 'plan': {
      const entries = wholeList(decodePlanEntry, issue, 'entries', update);
      return entries && { type: 'plan', entries };
    }
    case 'plan_update':
      return decodePlanUpdate(update['plan'], decodePlanEntry, issue);
    case 'plan_removed': {
      const planId = stringOf(update['planId']);
      return planId === undefined ? undefined : { type: 'plan', planId, entries: [] };
    }
    case 'available_commands_update': {
      const commands = wholeList(decodeCommand, issue, 'availableCommands', update);
      return commands && { type: 'commands', commands: firstOfEach(commands, issue) };
    }
    case 'current_mode_update': {
      // A page of the official documentation spells it `modeId`, so agents do too.
      const modeId = stringOf(update['currentModeId']) ?? stringOf(update['modeId']);
      return modeId === undefined ? undefined : { type: 'mode', modeId };
    }
    case 'config_option_update': {
      const options = decodeConfigOptions(update['configOptions'], issue);
      return options && { type: 'configOptions', options };
    }
    case 'session_info_update': {
      const suggestion = decodeSuggestion(update['_meta']);
      if (suggestion && update['title'] === undefined) return { type: 'suggestion', ...suggestion };
      // Absent keeps, null clears, a value sets (schema `SessionInfoUpdate`). A malformed value counts as absent.
      if (update['title'] !== null && typeof update['title'] !== 'string') {
        issue(`${tag} without a title is not shown`);
        return { type: 'other', tag };
      }
      return { type: 'title', title: agentTitle(stringOf(update['title'])) };
    }
    case 'usage_update': {
      const usage = decodeContextUsage(update);
      const window = decodeClaudeWindow(update['_meta']);
      return usage && { type: 'usage', usage, ...(window ? { window } : {}) };
    }
    case 'notice': {
      const title = stringOf(update['title']);
      const description = stringOf(update['description']);
      if (!title) return undefined;
      return {
        type: 'notice',
        severity: wordOf(['info', 'warning', 'error'], update['severity']) ?? 'other',
        title,
        ...(description ? { description } : {}),
      };
    }
    case 'compaction_update': {
      const fields = decodeCompaction(update, issue);
      return fields && { type: 'compaction', fields };
    }
    case 'compaction_summary_chunk': {
      const compactionId = stringOf(update['compactionId']);
      const content = decodeContentBlock(update['content']);
      return compactionId === undefined || content === undefined
        ? undefined
        : { type: 'compactionChunk', compactionId, content };
    }
    case 'subagent_update':
    case 'session_message':
    case 'session_message_chunk':
      return decodeSubagent(tag, update, issue);
    default:
      issue(`unknown update ${tag}`);
      return { type: 'other', tag };
  }
}

/** A list that replaces the last one. Some languages write an empty list as null; one that is absent says nothing. */
function wholeList<T>(
  decode: (item: unknown) => T | undefined,
  issue: (text: string) => void,
  field: string,
  update: JsonObject,
): T[] | undefined {
  return update[field] === null ? [] : usableOf(decode, issue, field)(update[field]);
}

function chunk(role: MessageRole, update: JsonObject): Update | undefined {
  const content = chunkContent(update['content'] ?? update['text']);
  const messageId = idOf(update['messageId']);
  const parentToolCallId = parentToolCallOf(update['_meta']);
  return (
    content && {
      type: 'chunk',
      role,
      content,
      ...(messageId === undefined ? {} : { messageId }),
      ...(parentToolCallId === undefined ? {} : { parentToolCallId }),
    }
  );
}

/** Reads one block. Of a list, it joins the texts, or takes the first block. */
function chunkContent(raw: unknown): DecodedBlock | undefined {
  if (!Array.isArray(raw)) return decodeContentBlock(raw);
  const blocks = raw.flatMap((item: unknown) => decodeContentBlock(item) ?? []);
  const texts = blocks.flatMap((block) => (block.type === 'text' ? block.text : []));
  return texts.length > 0 && texts.length === blocks.length ? { type: 'text', text: texts.join('') } : blocks[0];
}

/** Reads a ToolCall or ToolCallUpdate, also the one inside a permission request. `undefined` without `toolCallId`. */
export function decodeToolCall(raw: unknown, issue: (text: string) => void): ToolCallFields | undefined {
  const call = asObject(raw);
  const toolCallId = idOf(call['toolCallId']);
  if (toolCallId === undefined) return undefined;
  const fields: Record<string, unknown> = {
    toolCallId,
    title: titleOf(call),
    name: stringOf(call['name']),
    kind: wordOf(toolKinds, call['kind']),
    status: progressOf(call['status']),
    content: usableOf(decodeToolContent, issue, 'content')(listed(call['content']))?.flat(),
    locations: usableOf(decodeLocation, issue, 'locations')(listed(call['locations'])),
    rawInput: boundedDepth(call['rawInput']) ?? undefined,
    rawOutput: boundedDepth(call['rawOutput']) ?? undefined,
    parentToolCallId: parentToolCallOf(call['_meta']),
    notRun: notRunOf(call['_meta']),
    isBackground: isBackgroundCall(call) || undefined,
    meta: isObject(call['_meta']) ? call['_meta'] : undefined,
  };
  for (const key of Object.keys(fields)) if (fields[key] === undefined) delete fields[key];
  return fields as unknown as ToolCallFields;
}

/** Characters of a title that are compared with the input. */
const maxInputTitle = 20_000;

/**
 * The title, unless it is blank or a program's word for none. One agent puts only the input there, and the tool's name
 * beside the call.
 */
function titleOf({ title: raw, rawInput, _meta }: JsonObject): string | undefined {
  const said = stringOf(raw);
  const title = ['', 'undefined', 'null', 'None'].includes(said?.trim() ?? '') ? undefined : said;
  const tool = stringOf(asObject(_meta)['toolName']);
  if (tool === undefined || title === undefined || !title.startsWith('{') || title.length > maxInputTitle) return title;
  return title === JSON.stringify(rawInput) ? tool : title;
}

/** Wraps a value in a list: some agents send a list's only item, or its text, without the list. */
function listed(value: unknown): unknown {
  return isObject(value) || (typeof value === 'string' && value !== '') ? [value] : value;
}

function decodeToolContent(raw: unknown): ToolContent[] | undefined {
  const item = asObject(raw);
  switch (item['type']) {
    case 'content': {
      const blocks = [item['content'] ?? item['text']].flat().flatMap((block) => shownBlock(block) ?? []);
      return blocks.length > 0 ? blocks.map((content) => ({ type: 'content', content })) : undefined;
    }
    case 'diff': {
      const path = stringOf(item['path']);
      const oldText = stringOf(item['oldText']) ?? null;
      // A deleted file has no new text.
      const newText = stringOf(item['newText']) ?? (item['newText'] === null && oldText !== null ? '' : undefined);
      return path === undefined || newText === undefined
        ? undefined
        : [{ type: 'diff', path: pathOfAddress(path), newText, oldText }];
    }
    case 'terminal': {
      const terminalId = stringOf(item['terminalId']);
      return terminalId === undefined ? undefined : [{ type: 'terminal', terminalId }];
    }
    default: {
      // The documentation's samples show bare content blocks here; agents follow the samples.
      const content = shownBlock(raw);
      return content && [{ type: 'content', content }];
    }
  }
}

/** Reads a block; some tools send an image as a text with its address. */
function shownBlock(raw: unknown): DecodedBlock | undefined {
  const block = decodeContentBlock(raw);
  return block?.type === 'text' ? (imageInAddress(block.text) ?? block) : block;
}

/** Reads a `ToolCallLocation`. Some agents send only a path or an address. */
export function decodeLocation(raw: unknown): ToolCallLocation | undefined {
  const location = asObject(raw);
  const written = stringOf(raw) ?? stringOf(location['path']) ?? stringOf(location['uri']);
  if (written === undefined || written === '') return undefined;
  const path = pathOfAddress(written);
  const said = location['line'];
  const line = integerOf(typeof said === 'string' ? Number(said) : said);
  return line !== undefined && line > 0 ? { path, line } : { path };
}

export function decodePlanEntry(raw: unknown): PlanItem | undefined {
  const entry = asObject(raw);
  const said = [raw, ...['content', 'title', 'step', 'task', 'text', 'description'].map((name) => entry[name])];
  const content = said
    .map((value) => stringOf(value) ?? stringOf(asObject(value)['text']))
    .find((text) => text !== undefined && text.trim() !== '');
  if (content === undefined) return undefined;
  const status = progressOf(entry['status']) ?? (entry['completed'] === true ? 'completed' : 'pending');
  return {
    content,
    priority: wordOf(['high', 'medium', 'low'], entry['priority']) ?? 'medium',
    status: status === 'failed' ? 'cancelled' : status,
  };
}

function decodeCommand(raw: unknown): AvailableCommand | undefined {
  const command = asObject(raw);
  // Parley puts a slash before each name; some agents already send it.
  const name = stringOf(command['name'])
    ?.replace(/^[\s/]+/, '')
    .trimEnd();
  if (name === undefined || name === '') return undefined;
  const hint = stringOf(command['input']) ?? stringOf(asObject(command['input'])['hint']);
  return { name, description: stringOf(command['description']) ?? '', ...(hint ? { input: { hint } } : {}) };
}

function firstOfEach(commands: readonly AvailableCommand[], issue: (text: string) => void): AvailableCommand[] {
  const known = new Set<string>();
  return commands.filter(({ name }) => {
    if (known.has(name)) issue(`the command ${name} is there twice`);
    return known.size < known.add(name).size;
  });
}
