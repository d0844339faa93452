import * as l10n from '@vscode/l10n';
import type { ThreadAction } from './actions';
import { reduce } from './reducer';
import { emptyThread, isUnprompted, type Thread } from './thread';

/**
 * Actions that describe the running process rather than what happened; after a restart they would be wrong. Everything
 * else, in order, is the thread.
 */
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
  'usage/updated',
  'usage/cleared',
  'agentNotice/shown',
  'agentNotice/dismissed',
  'elicitation/refused',
  'permission/assessed',
  'ask/began',
  'ask/ended',
]);

export function isTransient(action: ThreadAction): boolean {
  return transient.has(action.type);
}

/**
 * Joins chunks of the same message, and updates of the same tool call, that follow each other, so that a stream of
 * thousands is stored as a few lines. The joined list replays to the same thread but for the time of a tool call's last update.
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
      action.content.type === 'text'
    ) {
      out[out.length - 1] = { ...last, content: { type: 'text', text: last.content.text + action.content.text }, until: action.until ?? action.at };
    } else if (last?.type === 'toolCall/patched' && action.type === 'toolCall/patched' && last.fields.toolCallId === action.fields.toolCallId && last.fields.status === action.fields.status) {
      // Some agents send all output so far with each update; only the last of them is worth keeping.
      out[out.length - 1] = { ...action, fields: { ...last.fields, ...action.fields } };
    } else if (last?.type === 'toolCall/contentAppended' && action.type === last.type && last.toolCallId === action.toolCallId) {
      out[out.length - 1] = { ...action, content: [...last.content, ...action.content] };
    } else {
      out.push(action);
    }
  }
  return out;
}

/**
 * Replays a stored thread. What was still open when it was stored is closed: its process is gone. An action that is not
 * understood, because a newer version wrote it, is skipped.
 */
export function replay(actions: Iterable<ThreadAction>): Thread {
  let thread = emptyThread;
  let lastAt = 0;
  for (const action of actions) {
    try {
      // A host that was killed could not write the end of its last turn; the next turn in the file says that it ended.
      if (action.type === 'turn/started' && thread.turn) thread = closed(thread, lastAt);
      lastAt = action.at;
      thread = reduce(thread, action);
    } catch {
      // A line that cannot be applied must not take the rest of the thread with it.
    }
  }
  return closed(thread, lastAt);
}

/** The agent that asked is gone, and so is the browser's way back to it. */
function* withdrawals(thread: Thread, at: number): Generator<ThreadAction> {
  for (const { requestId } of thread.waiting) yield { type: 'permission/resolved', at, requestId };
  for (const entry of thread.entries) {
    // The prompt that the user was asked about was never sent.
    if (entry.kind === 'notice' && entry.actions.includes('includeConversation')) yield { type: 'notice/settled', at, action: 'includeConversation', title: l10n.t('The earlier conversation was not included') };
    if (entry.kind !== 'elicitation') continue;
    if (entry.state === 'waiting') yield { type: 'elicitation/settled', at, entryId: entry.id, state: 'withdrawn' };
    else if (entry.state === 'opened') yield { type: 'elicitation/settled', at, entryId: entry.id, state: 'accepted' };
  }
}

/** Ends what was under way when the editor went. */
function closed(thread: Thread, lastAt: number): Thread {
  let settled = reduce(thread, { type: 'compactions/ended', at: lastAt });
  for (const action of withdrawals(thread, lastAt)) settled = reduce(settled, action);
  if (!settled.turn) return reduce(settled, { type: 'toolCalls/ended', at: lastAt });
  const ended = reduce(settled, { type: 'turn/ended', at: lastAt, turnId: settled.turn.turnId, stopReason: 'failed' });
  if (isUnprompted(settled)) return ended;
  return reduce(ended, { type: 'notice/added', at: lastAt, severity: 'info', title: l10n.t('Interrupted: the window was closed while the agent was working'), actions: ['retry'] });
}
