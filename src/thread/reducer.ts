import * as l10n from '@vscode/l10n';
import type { DecodedBlock } from '../acp/decodeContent';
import { assertNever } from '../base/assert';
import { sameJson } from '../base/json';
import { Vector } from '../base/vector';
import type { ThreadAction } from './actions';
import { dismissNotice, showNotice, withoutOldNotices } from './agentNotices';
import { appendToCompaction, endCompactions, patchCompaction } from './compactions';
import { refuseElicitation, requestElicitation, settleElicitation } from './elicitation';
import { appendToMessage, identifyMessage, upsertMessage } from './keyedMessages';
import { appendChunk, closeMessages } from './messageChunks';
import {
  answerPermission,
  assessPermission,
  changePermissions,
  countWait,
  requestPermission,
  resolvePermission,
} from './permissionRequests';
import { planFromTodos, replacePlan, withoutPlan } from './plans';
import { reduceOptions } from './reduceOptions';
import { rewind, undoRewind } from './rewind';
import { type SessionOptions, withoutProblem } from './sessionOptions';
import { emptyThread, type Entry, entryIdAt, type NoticeAction, type Part, type Thread, type Turn } from './thread';
import { updateAccount, updateUsage } from './usage';
import { appendToolContent, endOpenCalls, patchToolCall } from './toolCalls';

/** Applies one action. Returns the same object if nothing changes; never throws, whatever the agent sent. */
export function reduce(thread: Thread, action: ThreadAction): Thread {
  switch (action.type) {
    case 'message/chunkAppended':
      return appendChunk(thread, action);
    case 'message/upserted':
      return upsertMessage(thread, action);
    case 'message/appended':
      return appendToMessage(thread, action);
    case 'message/identified':
      return identifyMessage(thread, action);
    case 'toolCall/contentAppended':
      return changePermissions(appendToolContent(thread, action), action.toolCallId, ({ content }) => ({
        content: [...content, ...action.content],
      }));
    case 'ids/forgotten':
      return forgetIds(thread);
    case 'toolCalls/ended':
      return endOpenCalls(thread, 'unfinished', action.at, false);
    case 'toolCall/patched': {
      const patched = changePermissions(
        patchToolCall(thread, action.fields, action.at),
        action.fields.toolCallId,
        () => action.fields,
      );
      if (patched === thread) return thread;
      const call = patched.entries.at(patched.toolCalls.get(action.fields.toolCallId)!);
      return call?.kind === 'toolCall' ? planFromTodos(patched, call) : patched;
    }
    case 'permission/requested':
      return countWait(thread, requestPermission(thread, action), action.at);
    case 'permission/assessed':
      return assessPermission(thread, action);
    case 'permission/resolved':
      return countWait(thread, resolvePermission(thread, action), action.at);
    case 'permission/answered':
      return answerPermission(thread, action);
    case 'elicitation/requested':
      return countWait(thread, requestElicitation(closeMessages(thread), action), action.at);
    case 'elicitation/refused':
      return refuseElicitation(thread, action);
    case 'elicitation/settled':
      return countWait(thread, settleElicitation(thread, action), action.at);
    case 'ask/began': {
      const { requestId, title, at, entryId } = action;
      return countWait(
        thread,
        { ...thread, asks: [...thread.asks, { requestId, title, at, ...(entryId === undefined ? {} : { entryId }) }] },
        at,
      );
    }
    case 'ask/ended':
      return countWait(
        thread,
        { ...thread, asks: thread.asks.filter(({ requestId }) => requestId !== action.requestId) },
        action.at,
      );
    case 'plan/replaced':
      return replacePlan(thread, action);
    case 'commands/replaced':
      return thread.commands.length === 0 && action.commands.length === 0
        ? thread
        : { ...thread, commands: action.commands };
    case 'options/replaced':
    case 'configOptions/replaced':
    case 'configOption/changed':
    case 'mode/changed':
    case 'model/changed':
    case 'option/requested':
    case 'option/settled':
    case 'optionProblem/dismissed':
      return withOptions(thread, reduceOptions(thread.options, action));
    case 'title/changed':
      return withOptional(thread, 'title', action.title);
    case 'account/updated':
      return updateAccount(thread, action.account);
    case 'suggestion/changed':
      return withOptional(thread, 'suggestion', action.text);
    case 'usage/updated':
      return updateUsage(thread, action);
    case 'usage/cleared':
      return withOptional(thread, 'usage', undefined);
    case 'background/reported':
      return sameJson(thread.background, action.items) ? thread : withOptional(thread, 'background', action.items);
    case 'agentNotice/shown':
      return showNotice(thread, action);
    case 'agentNotice/dismissed':
      return dismissNotice(thread, action.id);
    case 'compaction/patched':
      return patchCompaction(thread, action.fields, action.at);
    case 'compaction/chunkAppended':
      return appendToCompaction(thread, action.compactionId, action.content, action.at);
    case 'compactions/ended':
      return endCompactions(thread, action.at);
    case 'turn/started':
      return countWait(thread, startTurn(thread, action), action.at);
    case 'prompt/steered':
      return addSteered(thread, action);
    case 'turn/stopRequested':
      if (!thread.turn || thread.turn.stopping) return thread;
      return stopTurn(thread, thread.turn, action);
    case 'turn/ended':
      return endTurn(thread, action);
    case 'thread/rewound':
      return rewind(thread, action);
    case 'thread/rewindUndone':
      return undoRewind(thread);
    case 'notice/added': {
      const { severity, title, detail, actions = [], retryAt, at } = action;
      const closed = closeMessages(thread);
      const id = entryIdAt(closed.entries.length);
      return addEntry(closed, {
        kind: 'notice',
        id,
        at,
        severity,
        title,
        ...(detail === undefined ? {} : { detail }),
        actions,
        ...(retryAt === undefined ? {} : { retryAt }),
      });
    }
    case 'notice/settled':
      return settleNotice(thread, action);
    default:
      return assertNever(action);
  }
}

function forgetIds(thread: Thread): Thread {
  const { messages, toolCalls, compactions, awaited } = emptyThread;
  const knowsNone =
    thread.messages === messages &&
    thread.toolCalls === toolCalls &&
    thread.compactions === compactions &&
    thread.awaited === awaited;
  return knowsNone ? thread : { ...thread, messages, toolCalls, compactions, awaited };
}

function addEntry(thread: Thread, entry: Entry): Thread {
  return { ...thread, entries: thread.entries.push(entry) };
}

function withOptions(thread: Thread, options: SessionOptions): Thread {
  return options === thread.options ? thread : { ...thread, options };
}

function startTurn(thread: Thread, action: Extract<ThreadAction, { type: 'turn/started' }>): Thread {
  if (thread.turn) return thread;
  // Work without a prompt answers nothing: earlier notices still apply.
  const isPrompted = action.prompt.length > 0;
  const closed = isPrompted
    ? withoutPlan(withoutOldNotices(passNotices(closeMessages(thread))))
    : closeMessages(thread);
  const index = closed.entries.length;
  const { suggestion: _used, ...rest } = closed;
  const own: Entry = {
    kind: 'notice',
    id: entryIdAt(index),
    at: action.at,
    severity: 'info',
    title: l10n.t('Continued by itself'),
    actions: [],
    beginsTurn: true,
  };
  return {
    ...addEntry(isPrompted ? rest : closed, isPrompted ? sentMessage(closed, action) : own),
    turn: {
      turnId: action.turnId,
      startedAt: action.at,
      firstIndex: index,
      stopping: false,
      echoed: '',
      promptText: textOfPrompt(action.prompt),
    },
    options: isPrompted ? withoutProblem(closed.options) : closed.options,
  };
}

function addSteered(thread: Thread, action: Extract<ThreadAction, { type: 'prompt/steered' }>): Thread {
  const closed = closeMessages(thread);
  const added = addEntry(closed, sentMessage(closed, action));
  // From here on, an agent's echo refers to this message.
  return added.turn
    ? { ...added, turn: { ...added.turn, echoed: '', promptText: textOfPrompt(action.prompt) } }
    : added;
}

function sentMessage(
  thread: Thread,
  { at, prompt }: { readonly at: number; readonly prompt: readonly DecodedBlock[] },
): Entry {
  const parts = Vector.from(
    prompt.map((block): Part => (block.type === 'text' ? { type: 'text', text: block.text, continues: false } : block)),
  );
  return { kind: 'userMessage', id: entryIdAt(thread.entries.length), at, parts, dropped: false };
}

function textOfPrompt(prompt: readonly DecodedBlock[]): string {
  return prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

function stopTurn(
  thread: Thread,
  turn: Turn,
  { at, callsGoOn }: Extract<ThreadAction, { type: 'turn/stopRequested' }>,
): Thread {
  const stopping = { ...thread, turn: { ...turn, stopping: true } };
  return callsGoOn ? stopping : endOpenCalls(stopping, 'cancelled', at, true);
}

function settleNotice(thread: Thread, { action, title }: Extract<ThreadAction, { type: 'notice/settled' }>): Thread {
  for (let index = thread.entries.length - 1; index >= 0; index--) {
    const entry = thread.entries.at(index);
    if (entry?.kind === 'notice' && entry.actions.includes(action))
      return { ...thread, entries: thread.entries.set(index, { ...entry, title, actions: [] }) };
  }
  return thread;
}

/**
 * Marks the last prompt's problems as passed: their advice no longer helps, and Retry would send another prompt. Offers
 * to redo a rewind and own questions stay.
 */
function passNotices(thread: Thread): Thread {
  let { entries } = thread;
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries.at(index);
    if (entry?.kind === 'userMessage') break;
    if (entry?.kind !== 'notice') continue;
    const { retryAt: _, ...notice } = entry;
    if (entry.severity !== 'info') entries = entries.set(index, { ...notice, actions: [], passed: true });
    else if (entry.actions.some(isForNow))
      entries = entries.set(index, { ...notice, actions: entry.actions.filter((action) => !isForNow(action)) });
  }
  return entries === thread.entries ? thread : { ...thread, entries };
}

/** True if an action no longer makes sense after another prompt was sent. */
function isForNow(action: NoticeAction): boolean {
  return action === 'retry' || action === 'redoFiles';
}

function endTurn(thread: Thread, action: Extract<ThreadAction, { type: 'turn/ended' }>): Thread {
  // A late answer of an earlier turn must not end the running one.
  if (thread.turn?.turnId !== action.turnId) return thread;
  const closed = closeMessages(thread);
  const { turn, ...rest } = action.callsGoOn
    ? closed
    : endOpenCalls(closed, closed.turn?.stopping ? 'cancelled' : 'unfinished', action.at, true);
  const marked = markEnd(rest, turn!.firstIndex);
  return action.stopReason === 'refusal' ? dropTurn(marked, turn!.firstIndex) : marked;
}

/** Marks the agent's last message of the turn, where the actions for an answer are offered once. */
function markEnd(thread: Thread, firstIndex: number): Thread {
  for (let index = thread.entries.length - 1; index >= firstIndex; index--) {
    const entry = thread.entries.at(index);
    if (entry?.kind === 'agentMessage' && entry.parentId === undefined && !entry.asUser)
      return { ...thread, entries: thread.entries.set(index, { ...entry, endsTurn: true }) };
  }
  return thread;
}

/**
 * After a refusal, the prompt and everything after it is not sent with the next prompt. The user must see that (item
 * 81).
 */
function dropTurn(thread: Thread, firstIndex: number): Thread {
  const message = thread.entries.at(firstIndex);
  return message?.kind === 'userMessage'
    ? { ...thread, entries: thread.entries.set(firstIndex, { ...message, dropped: true }) }
    : thread;
}

function withOptional<K extends 'background' | 'suggestion' | 'title' | 'usage'>(
  thread: Thread,
  key: K,
  value: Thread[K],
): Thread {
  if (thread[key] === value) return thread;
  const { [key]: _old, ...rest } = thread;
  return (value === undefined ? rest : { ...rest, [key]: value }) as Thread;
}
