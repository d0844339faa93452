import type { ThreadAction } from './actions';

/** Actions about the running process, which are wrong after a restart. All others, in order, give the thread. */
const transient: ReadonlySet<ThreadAction['type']> = new Set([
  'commands/replaced',
  'options/replaced',
  'configOptions/replaced',
  'configOption/changed',
  'mode/changed',
  'model/changed',
  'option/requested',
  'option/settled',
  'optionProblem/dismissed',
  'account/updated',
  'suggestion/changed',
  'usage/updated',
  'usage/cleared',
  'background/reported',
  'agentNotice/shown',
  'agentNotice/dismissed',
  'elicitation/refused',
  'permission/assessed',
  'ask/began',
  'ask/ended',
]);

/** Characters after which a stored line is not extended: a line is read as a whole. */
const maxJoined = 1_000_000;

export function isTransient(action: ThreadAction): boolean {
  return transient.has(action.type);
}

/**
 * Joins consecutive chunks of one message, and updates of one tool call, so that a stream of thousands is stored as a
 * few lines. The joined list replays to the same thread except for the time of a tool call's last update.
 */
export function compact(actions: readonly ThreadAction[]): ThreadAction[] {
  const out: ThreadAction[] = [];
  for (const action of actions) {
    const last = out.at(-1);
    if (
      (last?.type === 'message/chunkAppended' || last?.type === 'message/appended') &&
      action.type === last.type &&
      last.role === action.role &&
      last.isAgents === action.isAgents &&
      last.messageId === action.messageId &&
      last.parentToolCallId === action.parentToolCallId &&
      last.content.type === 'text' &&
      action.content.type === 'text' &&
      last.content.text.length < maxJoined
    ) {
      out[out.length - 1] = {
        ...last,
        content: { type: 'text', text: last.content.text + action.content.text },
        until: action.until ?? action.at,
      };
    } else if (
      last?.type === 'toolCall/patched' &&
      action.type === 'toolCall/patched' &&
      last.fields.toolCallId === action.fields.toolCallId &&
      last.fields.status === action.fields.status
    ) {
      // Some agents repeat all output with each update; only the last one is stored.
      out[out.length - 1] = { ...action, fields: { ...last.fields, ...action.fields } };
    } else if (
      last?.type === 'toolCall/contentAppended' &&
      action.type === last.type &&
      last.toolCallId === action.toolCallId
    ) {
      out[out.length - 1] = { ...action, content: [...last.content, ...action.content] };
    } else {
      out.push(action);
    }
  }
  return out;
}

/** A transcript's notes about its own writing. A reader skips unknown ones of a later version. */
export type TranscriptMark =
  /** The window closed while a turn ran. */
  | { readonly type: 'transcript/closed'; readonly at: number }
  /** Nothing could be written after this. `reason` in words that follow a colon. */
  | { readonly type: 'transcript/cut'; readonly at: number; readonly reason: string };
