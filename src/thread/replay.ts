import * as l10n from '@vscode/l10n';
import type { ThreadAction } from './actions';
import { reduce } from './reducer';
import { emptyThread, isUnprompted, type Thread } from './thread';
import { ThreadBudget } from './threadBudget';
import type { TranscriptMark } from './transcript';

/**
 * Replays a stored thread, in bounded memory however long it is. Open calls and turns are closed: their process is
 * gone. An unknown action of a newer version is skipped.
 */
export class Replay {
  #thread = emptyThread;
  #lastAt = 0;
  #mark: TranscriptMark | undefined;
  /** The last mark says that later actions are missing. */
  #isCut = false;
  readonly #budget: ThreadBudget;

  constructor(maxInMemory?: number) {
    this.#budget = new ThreadBudget(maxInMemory);
  }

  /** The time of the last action; 0 before the first. */
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
      // A killed host could not write the end of its last turn; the next turn in the file implies it.
      if (action.type === 'turn/started' && this.#thread.turn)
        this.#thread = closed(this.#thread, this.#lastAt, this.#mark);
      if (action.type === 'turn/started') this.#mark = undefined;
      this.#isCut = false;
      this.#lastAt = action.at;
      this.#thread = this.#budget.after(action, reduce(this.#thread, action));
    } catch {
      // A line that cannot be applied must not affect the rest of the thread.
    }
  }

  /** @param isShort later actions are missing */
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

/** The agent that asked has ended, and so has the browser's way back to it. */
function* withdrawals(thread: Thread, at: number): Generator<ThreadAction> {
  for (const { requestId } of thread.waiting) yield { type: 'permission/resolved', at, requestId };
  for (const entry of thread.entries) {
    // The prompt of this question was never sent.
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

/** A disk that could not take the conversation could not take pending changes either. */
function notReviewed(): string {
  return l10n.t('Changes that the agent made after this may be missing from the review. Check them with git.');
}

/** Closes everything that was open at the end of the file. @param mark the reason, if known */
function closed(thread: Thread, lastAt: number, mark: TranscriptMark | undefined): Thread {
  let settled = reduce(thread, { type: 'compactions/ended', at: lastAt });
  for (const action of withdrawals(thread, lastAt)) settled = reduce(settled, action);
  const { turn } = settled;
  // Work without a prompt cannot be retried.
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
  // Without a mark, the host was killed or the disk was full; it is unknown which.
  const title = mark
    ? l10n.t('Interrupted: the window was closed while the agent was working')
    : l10n.t('The end of this turn was not saved');
  return reduce(settled, { type: 'notice/added', at: lastAt, severity: 'info', title, actions: ['retry'] });
}
