import * as l10n from '@vscode/l10n';
import type { ThreadAction } from './actions';
import { reduce } from './reducer';
import { emptyThread, isUnprompted, type Thread } from './thread';
import { ThreadBudget } from './threadBudget';

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
  'account/updated',
  'suggestion/changed',
  'usage/updated',
  'usage/cleared',
  'agentNotice/shown',
  'agentNotice/dismissed',
  'elicitation/refused',
  'permission/assessed',
  'ask/began',
  'ask/ended',
]);

/** Characters after which a stored line gets no more text: reading takes a line as a whole. */
const maxJoined = 1_000_000;

export function isTransient(action: ThreadAction): boolean {
  return transient.has(action.type);
}

/**
 * Joins chunks of the same message, and updates of the same tool call, that follow each other, so that a stream of
 * thousands is stored as a few lines. The joined list replays to the same thread but for the time of a tool call's last
 * update.
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
      // Some agents send all output so far with each update; only the last of them is worth keeping.
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

/**
 * What a transcript says of its own writing. A later version may know more of them, and skips what it does not know.
 */
export type TranscriptMark =
  /** The window closed while a turn ran. */
  | { readonly type: 'transcript/closed'; readonly at: number }
  /** From here on nothing could be written. `reason` in words that follow a colon. */
  | { readonly type: 'transcript/cut'; readonly at: number; readonly reason: string };

/**
 * Replays a stored thread, in bounded memory however long it is. What was still open when it was stored is closed: its
 * process is gone. An action that is not understood, because a newer version wrote it, is skipped.
 */
export class Replay {
  #thread = emptyThread;
  #lastAt = 0;
  #mark: TranscriptMark | undefined;
  /** The last that was taken says that what followed is missing. */
  #isCut = false;
  readonly #budget: ThreadBudget;

  constructor(maxInMemory?: number) {
    this.#budget = new ThreadBudget(maxInMemory);
  }

  /** When the last action happened; 0 before there is one. */
  get lastAt(): number {
    return this.#lastAt;
  }

  take(action: ThreadAction | TranscriptMark): void {
    try {
      if (action.type === 'transcript/closed') return void (this.#mark = action);
      if (action.type === 'transcript/cut') {
        this.#thread = closed(this.#thread, this.#lastAt, action);
        this.#isCut = true;
        return;
      }
      // A host that was killed could not write the end of its last turn; the next turn in the file says that it ended.
      if (action.type === 'turn/started' && this.#thread.turn)
        this.#thread = closed(this.#thread, this.#lastAt, this.#mark);
      if (action.type === 'turn/started') this.#mark = undefined;
      this.#isCut = false;
      this.#lastAt = action.at;
      this.#thread = this.#budget.after(action, reduce(this.#thread, action));
    } catch {
      // A line that cannot be applied must not take the rest of the thread with it.
    }
  }

  /** @param isShort more had happened than is here */
  end(isShort = false): Thread {
    const thread = closed(this.#thread, this.#lastAt, this.#mark);
    if (!isShort || this.#isCut || this.#thread.turn) return thread;
    return reduce(thread, {
      type: 'notice/added',
      at: this.#lastAt,
      severity: 'warning',
      title: l10n.t('Messages after this were not saved'),
      detail: notReviewed(),
    });
  }
}

/** Replays a stored thread that is in memory. */
export function replay(actions: Iterable<ThreadAction | TranscriptMark>): Thread {
  const all = new Replay();
  for (const action of actions) all.take(action);
  return all.end();
}

/** The agent that asked is gone, and so is the browser's way back to it. */
function* withdrawals(thread: Thread, at: number): Generator<ThreadAction> {
  for (const { requestId } of thread.waiting) yield { type: 'permission/resolved', at, requestId };
  for (const entry of thread.entries) {
    // The prompt that the user was asked about was never sent.
    if (entry.kind === 'notice' && entry.actions.includes('includeConversation'))
      yield {
        type: 'notice/settled',
        at,
        action: 'includeConversation',
        title: l10n.t('The earlier conversation was not included'),
      };
    if (entry.kind !== 'elicitation') continue;
    if (entry.state === 'waiting') yield { type: 'elicitation/settled', at, entryId: entry.id, state: 'withdrawn' };
    else if (entry.state === 'opened') yield { type: 'elicitation/settled', at, entryId: entry.id, state: 'accepted' };
  }
}

/** What could not save the conversation could save no pending changes. */
function notReviewed(): string {
  return l10n.t('Changes that the agent made after this may be missing from the review. Check them with git.');
}

/** Ends what was under way when the writing ended. @param mark says why it did, where that is known */
function closed(thread: Thread, lastAt: number, mark: TranscriptMark | undefined): Thread {
  let settled = reduce(thread, { type: 'compactions/ended', at: lastAt });
  for (const action of withdrawals(thread, lastAt)) settled = reduce(settled, action);
  const { turn } = settled;
  // Work without a prompt can't be tried again.
  const canRetry = turn !== undefined && !isUnprompted(settled);
  settled = turn
    ? reduce(settled, { type: 'turn/ended', at: lastAt, turnId: turn.turnId, stopReason: 'failed' })
    : reduce(settled, { type: 'toolCalls/ended', at: lastAt });
  if (mark?.type === 'transcript/cut')
    return reduce(settled, {
      type: 'notice/added',
      at: lastAt,
      severity: 'warning',
      title: l10n.t('Messages after this were not saved: {0}.', mark.reason),
      detail: notReviewed(),
      actions: canRetry ? ['retry'] : [],
    });
  if (!canRetry) return settled;
  // Killed, or out of room: nobody can tell which when neither could be written.
  const title = mark
    ? l10n.t('Interrupted: the window was closed while the agent was working')
    : l10n.t('The end of this turn was not saved');
  return reduce(settled, { type: 'notice/added', at: lastAt, severity: 'info', title, actions: ['retry'] });
}
