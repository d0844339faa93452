import * as l10n from '@vscode/l10n';
import { decodeContentBlock } from '../decodeContent';
import { decodeConfigOptions } from '../decodeOptions';
import {
  decodeByTag,
  type Decoded,
  type BackgroundItem,
  decodePlanEntry,
  decodeUpdate,
  type MessageRole,
  type PlanItem,
  type SessionState,
  type Update,
} from '../decodeUpdate';
import { decodePlanUpdate } from '../decodePlan';
import { decodeClaudeWindow } from '../decodePlanWindow';
import { decodeContextUsage, decodeTurnUsage } from '../decodeUsage';
import { noMessage } from '../dialect';
import { ErrorCodes } from '../errors';
import { asObject, decoded, idOf, integerOf, oneOf, stringOf, usableOf } from '../../base/decode';
import { isObject, type JsonObject } from '../../base/json';
import { progressOf } from '../progress';
import { parentToolCallOf } from '../quirks';
import { decodeTerminal } from './decodeTerminal';
import { decodeToolCallV2, toolContentV2 } from './decodeToolCall';
import { commandsAsV1, configOptionsAsV1 } from './respell';

type Report = (issue: string) => void;

const roles: Readonly<Record<string, MessageRole>> = {
  user_message: 'user',
  user_message_chunk: 'user',
  agent_message: 'agent',
  agent_message_chunk: 'agent',
  agent_thought: 'thought',
  agent_thought_chunk: 'thought',
};

/** Decodes `params.update` of `session/update` in v2. As lenient as the decoder of v1, and with the same results. */
export function decodeUpdateV2(raw: unknown): Decoded<Update> {
  return decodeByTag(raw, decodeTagged);
}

function decodeTagged(tag: string, update: JsonObject, issue: Report): Update | undefined {
  switch (tag) {
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
      return decodeMessage(roles[tag]!, update, issue);
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return decodeChunk(roles[tag]!, update);
    case 'state_update':
      return decodeState(update, issue);
    case 'tool_call_update': {
      const fields = decodeToolCallV2(update, issue);
      return fields && { type: 'toolCall', fields };
    }
    case 'tool_call_content_chunk': {
      const toolCallId = idOf(update['toolCallId']);
      const content = toolContentV2(update['content'], issue);
      return toolCallId === undefined || content === undefined
        ? undefined
        : { type: 'toolContent', toolCallId, content };
    }
    case 'terminal_update': {
      const fields = decodeTerminal(update);
      return fields && { type: 'terminal', fields };
    }
    case 'terminal_output_chunk': {
      const terminalId = stringOf(update['terminalId']);
      const data = stringOf(update['data']);
      return terminalId === undefined || data === undefined ? undefined : { type: 'terminalBytes', terminalId, data };
    }
    case 'plan_update':
      return decodePlanUpdate(update['plan'], (item) => decodePlanItem(item, issue), issue);
    case 'available_commands_update':
      return decodedAsV1({ ...update, availableCommands: commandsAsV1(update['availableCommands'], issue) }, issue);
    case 'config_option_update': {
      const options = decodeConfigOptions(configOptionsAsV1(update['configOptions']), issue);
      return options && { type: 'configOptions', options };
    }
    case 'usage_update': {
      const usage = decodeContextUsage(update);
      const window = decodeClaudeWindow(update['_meta']);
      return (
        usage && {
          type: 'usage',
          usage: update['cost'] === null ? { ...usage, cost: null } : usage,
          ...(window ? { window } : {}),
        }
      );
    }
    case 'session_info_update':
    case 'notice':
    case 'compaction_update':
    case 'compaction_summary_chunk':
    case 'plan_removed':
    case 'subagent_update':
    case 'session_message':
    case 'session_message_chunk':
      return decodedAsV1(update, issue);
    default:
      issue(`unknown update ${tag}`);
      return { type: 'other', tag };
  }
}

/** Updates that are the same in both versions. */
function decodedAsV1(update: JsonObject, issue: Report): Update | undefined {
  const { value, issues } = decodeUpdate(update);
  for (const text of issues) issue(text);
  return value;
}

/** A whole message: absent or unreadable `content` keeps the current one, null clears it. */
function decodeMessage(role: MessageRole, update: JsonObject, issue: Report): Update | undefined {
  const messageId = idOf(update['messageId']);
  if (messageId === undefined) return undefined;
  const said = update['content'];
  const listed = typeof said === 'string' || isObject(said) ? [said] : said;
  const content = said === null ? [] : usableOf(decodeContentBlock, issue, 'content')(listed);
  return { type: 'message', role, messageId, ...(content === undefined ? {} : { content }), ...subagent(update) };
}

function decodeChunk(role: MessageRole, update: JsonObject): Update | undefined {
  const messageId = idOf(update['messageId']);
  const content = decodeContentBlock(update['content']);
  return messageId === undefined || content === undefined
    ? undefined
    : { type: 'messageChunk', role, messageId, content, ...subagent(update) };
}

function subagent(update: JsonObject): { readonly parentToolCallId?: string } {
  const parentToolCallId = parentToolCallOf(update['_meta']);
  return parentToolCallId === undefined ? {} : { parentToolCallId };
}

/** An unknown state counts as busy (item 194). */
function decodeState(update: JsonObject, issue: Report): Update | undefined {
  const word = stringOf(update['state']);
  if (word === undefined) return undefined;
  const known = decoded(oneOf('idle', 'running', 'requires_action'), word);
  const state = known === 'requires_action' ? 'requiresAction' : (known ?? 'other');
  if (state === 'other') issue(`the state ${JSON.stringify(word)} is not known and is taken for busy`);
  const listed = usableOf(decodeBackground, issue, 'background')(update['background']);
  const background = listed ? { background: listed } : {};
  if (state !== 'idle') return { type: 'state', state, ...background };
  const stopReason = stringOf(update['stopReason']);
  const usage = decodeTurnUsage(update['usage']);
  const error = stopReason === 'error' ? decodeError(update['error']) : undefined;
  return {
    type: 'state',
    state,
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(error ? { error } : {}),
    ...(usage ? { usage } : {}),
    ...background,
  };
}

/** An item of an unknown kind, or without its id, is work all the same. */
function decodeBackground(raw: unknown): BackgroundItem {
  const { type, terminalId, toolCallId, sessionId, description } = asObject(raw);
  const [terminal, call, session, words] = [terminalId, toolCallId, sessionId, description].map(idOf);
  if (type === 'terminal' && terminal !== undefined) return { type, terminalId: terminal };
  if (type === 'tool_call' && call !== undefined) return { type: 'toolCall', toolCallId: call };
  if (type === 'subagent' && session !== undefined) return { type, sessionId: session };
  return { type: 'other', ...(words === undefined ? {} : { description: words }) };
}

/** The failure that ended work, as a JSON-RPC error; agents may leave it out. */
function decodeError(raw: unknown): NonNullable<SessionState['error']> {
  const error = asObject(raw);
  const words = (stringOf(error['message']) ?? stringOf(raw)) || undefined;
  // The reason of an error of another shape is somewhere in it.
  const data = error['data'] ?? (words === undefined ? raw : undefined) ?? undefined;
  return {
    code: integerOf(error['code']) ?? ErrorCodes.internalError,
    message: words ?? (data === undefined ? l10n.t('The agent stopped with an error and gave no details') : noMessage),
    ...(data === undefined ? {} : { data }),
  };
}

function decodePlanItem(raw: unknown, issue: Report): PlanItem | undefined {
  const item = decodePlanEntry(raw);
  const { status } = asObject(raw);
  if (item && progressOf(status) === undefined)
    issue(`the status ${JSON.stringify(status)} of a plan's entry is taken for ${item.status}`);
  return item;
}
