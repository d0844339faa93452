import type { AvailableCommand, ToolCallLocation } from '@agentclientprotocol/sdk';
import { agentTitle } from './agentTitle';
import { type AccountInfo, decodeClaudeWindow, decodeSuggestion, type PlanWindow } from './decodePlanWindow';
import { type CompactionFields, decodeCompaction } from './decodeCompaction';
import { type DecodedBlock, decodeContentBlock } from './decodeContent';
import { type ConfigOption, decodeConfigOptions } from './decodeOptions';
import { type ContextUsage, decodeContextUsage, type TurnUsage } from './decodeUsage';
import { asObject, boundedDepth, integerOf, isObject, type JsonObject, listOf, oneOf, stringOf } from './json';
import { notRunOf, parentToolCallOf } from './quirks';
import type { TerminalFields } from './v2/decodeTerminal';

export interface Decoded<T> {
  /** `undefined` when nothing of it could be used. */
  readonly value: T | undefined;
  /** What was wrong, for the log. Never shown as an error: an agent may be newer than we are. */
  readonly issues: readonly string[];
}

export const toolKinds = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other'] as const;
const toolStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const;

export const fileOperations = ['add', 'delete', 'modify', 'move', 'copy'] as const;

/** What became of a file; `other` is a word of a later version. */
export type FileOperation = (typeof fileOperations)[number] | 'other';

/**
 * `ToolCallContent` of the schema, with blocks as decoded. `oldText` null means that the file is new. A `fileChange` is
 * one file of a diff of v2; its `patch` is the part of a git patch that is about it, where the agent sent one.
 */
export type ToolContent =
  | { readonly type: 'content'; readonly content: DecodedBlock }
  | { readonly type: 'diff'; readonly path: string; readonly oldText: string | null; readonly newText: string }
  | { readonly type: 'fileChange'; readonly operation: FileOperation; readonly path: string; readonly oldPath?: string; readonly patch?: string }
  | { readonly type: 'terminal'; readonly terminalId: string };

/** A tool call as decoded: absent means "not said", which a patch leaves unchanged; null clears, which only v2 does. */
export interface ToolCallFields {
  readonly toolCallId: string;
  readonly title?: string | null;
  readonly name?: string | null;
  readonly kind?: (typeof toolKinds)[number];
  /** `paused` and `cancelled` come from v2 only. */
  readonly status?: (typeof toolStatuses)[number] | 'paused' | 'cancelled';
  readonly content?: readonly ToolContent[];
  readonly locations?: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** The agent takes `tool_call/cancel` for it now (v2). */
  readonly canCancel?: boolean;
  /** The call of the subagent that makes this one. */
  readonly parentToolCallId?: string;
  /** It did not run: the user refused, or something of the agent's. */
  readonly notRun?: 'rejected' | 'blocked';
  /** Never from the wire: see `thread/unaskedWork.ts`. */
  readonly wasUnasked?: true;
  /** Never from the wire: where the hunks of the patch in the raw input begin, by file, before and after. */
  readonly patchLines?: readonly (readonly (readonly [before: number, after: number])[])[];
  readonly meta?: JsonObject;
}

export type MessageRole = 'user' | 'agent' | 'thought';

/** `PlanEntry` of the schema; `cancelled` comes from v2 only. */
export interface PlanItem {
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
}

/** The updates that the thread understands, of both versions. `other` is what changes nothing in it. */
export type Update =
  | { readonly type: 'chunk'; readonly role: MessageRole; readonly content: DecodedBlock; readonly messageId?: string; /** The call of the subagent that says this. */ readonly parentToolCallId?: string }
  /** `announces`: it came as a new call (v1), so its id may be one that was used before. */
  | { readonly type: 'toolCall'; readonly fields: ToolCallFields; readonly announces?: true }
  /** One of several plans where it has an id (v2). */
  | { readonly type: 'plan'; readonly planId?: string; readonly entries: readonly PlanItem[] }
  | { readonly type: 'commands'; readonly commands: readonly AvailableCommand[] }
  | { readonly type: 'mode'; readonly modeId: string }
  /** The whole list, always (item 108). */
  | { readonly type: 'configOptions'; readonly options: readonly ConfigOption[] }
  | { readonly type: 'title'; readonly title: string | undefined }
  | { readonly type: 'usage'; readonly usage: ContextUsage; readonly window?: PlanWindow }
  | { readonly type: 'account'; readonly account: AccountInfo }
  | { readonly type: 'suggestion'; readonly text?: string }
  /** A live event for the user, no part of the conversation. `other` is a severity of a later version. */
  | { readonly type: 'notice'; readonly severity: 'info' | 'warning' | 'error' | 'other'; readonly title: string; readonly description?: string }
  | { readonly type: 'compaction'; readonly fields: CompactionFields }
  | { readonly type: 'compactionChunk'; readonly compactionId: string; readonly content: DecodedBlock }
  /** A message by its id, wherever it stands (v2): without content it only is there, a list takes the place of all of it. */
  | { readonly type: 'message'; readonly role: MessageRole; readonly messageId: string; readonly content?: readonly DecodedBlock[]; readonly parentToolCallId?: string }
  | { readonly type: 'messageChunk'; readonly role: MessageRole; readonly messageId: string; readonly content: DecodedBlock; readonly parentToolCallId?: string }
  /** One item more in the content of a call (v2); a diff is one item for each file. */
  | { readonly type: 'toolContent'; readonly toolCallId: string; readonly content: readonly ToolContent[] }
  /** A terminal of the agent's own (v2). */
  | { readonly type: 'terminal'; readonly fields: TerminalFields }
  /** Output of it, base64: bytes that may end within a character. */
  | { readonly type: 'terminalBytes'; readonly terminalId: string; readonly data: string }
  | SessionState
  | { readonly type: 'other'; readonly tag: string };

/** Whether the agent works on the session (v2). `other` is a state of a later version, and busy. `error` with the stop reason of that name. */
export interface SessionState {
  readonly type: 'state';
  readonly state: 'idle' | 'running' | 'requiresAction' | 'other';
  readonly stopReason?: string;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly usage?: TurnUsage;
}

/** Decodes `params.update` of `session/update`. Lenient as the schema asks (`x-deserialize-*`), and a little more. */
export function decodeUpdate(raw: unknown): Decoded<Update> {
  return decodeByTag(raw, decodeTagged);
}

/** Decodes an update by what its `sessionUpdate` says; one that cannot be used has at least one issue. */
export function decodeByTag(raw: unknown, decodeTagged: (tag: string, update: JsonObject, issue: (text: string) => void) => Update | undefined): Decoded<Update> {
  const issues: string[] = [];
  const issue = (text: string) => issues.push(text);
  const update = asObject(raw);
  const tag = stringOf(update['sessionUpdate']);
  const value = tag === undefined ? undefined : decodeTagged(tag, update, issue);
  if (value === undefined && issues.length === 0) issue(tag === undefined ? 'an update without sessionUpdate' : `update ${tag} could not be used`);
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
    case 'plan':
      return { type: 'plan', entries: listOf(update['entries'], decodePlanEntry, issue, 'entries') ?? [] };
    case 'available_commands_update':
      return { type: 'commands', commands: firstOfEach(listOf(update['availableCommands'], decodeCommand, issue, 'availableCommands') ?? [], issue) };
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
      // Absent keeps, null clears, a value sets (schema `SessionInfoUpdate`); what cannot be read counts as absent.
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
      return { type: 'notice', severity: oneOf(update['severity'], ['info', 'warning', 'error'] as const) ?? 'other', title, ...(description ? { description } : {}) };
    }
    case 'compaction_update': {
      const fields = decodeCompaction(update, issue);
      return fields && { type: 'compaction', fields };
    }
    case 'compaction_summary_chunk': {
      const compactionId = stringOf(update['compactionId']);
      const content = decodeContentBlock(update['content']);
      return compactionId === undefined || content === undefined ? undefined : { type: 'compactionChunk', compactionId, content };
    }
    default:
      issue(`unknown update ${tag}`);
      return { type: 'other', tag };
  }
}

function chunk(role: MessageRole, update: JsonObject): Update | undefined {
  const content = decodeContentBlock(update['content']);
  const messageId = stringOf(update['messageId']);
  const parentToolCallId = parentToolCallOf(update['_meta']);
  return content && { type: 'chunk', role, content, ...(messageId === undefined ? {} : { messageId }), ...(parentToolCallId === undefined ? {} : { parentToolCallId }) };
}

/** Reads a ToolCall or ToolCallUpdate, also the one inside a permission request. `undefined` without `toolCallId`. */
export function decodeToolCall(raw: unknown, issue: (text: string) => void): ToolCallFields | undefined {
  const call = asObject(raw);
  const toolCallId = stringOf(call['toolCallId']);
  if (toolCallId === undefined) return undefined;
  const fields: Record<string, unknown> = {
    toolCallId,
    title: stringOf(call['title']),
    name: stringOf(call['name']),
    kind: oneOf(call['kind'], toolKinds),
    status: oneOf(call['status'], toolStatuses),
    content: listOf(call['content'], decodeToolContent, issue, 'content'),
    locations: listOf(call['locations'], decodeLocation, issue, 'locations'),
    rawInput: boundedDepth(call['rawInput']) ?? undefined,
    rawOutput: boundedDepth(call['rawOutput']) ?? undefined,
    parentToolCallId: parentToolCallOf(call['_meta']),
    notRun: notRunOf(call['_meta']),
    meta: isObject(call['_meta']) ? call['_meta'] : undefined,
  };
  for (const key of Object.keys(fields)) if (fields[key] === undefined) delete fields[key];
  return fields as unknown as ToolCallFields;
}

function decodeToolContent(raw: unknown): ToolContent | undefined {
  const item = asObject(raw);
  switch (item['type']) {
    case 'content': {
      const content = decodeContentBlock(item['content']);
      return content && { type: 'content', content };
    }
    case 'diff': {
      const path = stringOf(item['path']);
      const newText = stringOf(item['newText']);
      if (path === undefined || newText === undefined) return undefined;
      return { type: 'diff', path, newText, oldText: stringOf(item['oldText']) ?? null };
    }
    case 'terminal': {
      const terminalId = stringOf(item['terminalId']);
      return terminalId === undefined ? undefined : { type: 'terminal', terminalId };
    }
    default: {
      // The documentation's samples show bare content blocks here; agents follow the samples.
      const content = decodeContentBlock(item);
      return content && { type: 'content', content };
    }
  }
}

/** Reads a `ToolCallLocation`. */
export function decodeLocation(raw: unknown): ToolCallLocation | undefined {
  const location = asObject(raw);
  const path = stringOf(location['path']);
  if (path === undefined || path === '') return undefined;
  const line = integerOf(location['line']);
  return line !== undefined && line > 0 ? { path, line } : { path };
}

function decodePlanEntry(raw: unknown): PlanItem | undefined {
  const entry = asObject(raw);
  const content = stringOf(entry['content']);
  if (content === undefined) return undefined;
  return {
    content,
    priority: oneOf(entry['priority'], ['high', 'medium', 'low'] as const) ?? 'medium',
    status: oneOf(entry['status'], ['pending', 'in_progress', 'completed'] as const) ?? 'pending',
  };
}

function decodeCommand(raw: unknown): AvailableCommand | undefined {
  const command = asObject(raw);
  // Parley puts a slash before each name; some agents send it, too.
  const name = stringOf(command['name'])?.replace(/^[\s/]+/, '').trimEnd();
  if (name === undefined || name === '') return undefined;
  const hint = stringOf(asObject(command['input'])['hint']);
  return { name, description: stringOf(command['description']) ?? '', ...(hint ? { input: { hint } } : {}) };
}

function firstOfEach(commands: readonly AvailableCommand[], issue: (text: string) => void): AvailableCommand[] {
  const known = new Set<string>();
  return commands.filter(({ name }) => {
    if (known.has(name)) issue(`the command ${name} is there twice`);
    return known.size < known.add(name).size;
  });
}
