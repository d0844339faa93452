import type { CreateElicitationResponse } from '@agentclientprotocol/sdk';
import type { CancellationToken } from '../base/cancellation';
import { Deferred } from '../base/deferred';
import type { IDisposable } from '../base/lifecycle';
import type { Clock } from '../base/scheduler';
import type { ThreadAction } from './actions';
import { elicitationTitle } from './elicitation';
import type { ElicitationForm } from '../acp/decodeElicitation';
import type { FormAnswer } from './formAnswer';
import {
  type Elicitation,
  type ElicitationAnswer,
  type ElicitationState,
  entryIdAt,
  type EntryId,
  indexOfEntry,
  type Thread,
  type WebPage,
} from './thread';

/** The session that shows the elicitations. */
export interface ElicitationStage {
  /** See `newIds`. */
  readonly newId: (kind: string) => string;
  readonly clock: Clock;
  thread(): Thread;
  dispatch(action: ThreadAction): void;
  /** A question to the user is now pending. */
  announce(question: { readonly requestId: string; readonly title: string }): void;
  /** See `CallIds.inElicitation`. */
  readonly callOf: (toolCallId: string) => string;
}

/** A pending elicitation: waiting for the user's answer or, after that, for the agent to report the end of a page. */
interface Live {
  readonly entryId: EntryId;
  readonly elicitationId: string | undefined;
  readonly answer: Deferred<CreateElicitationResponse>;
  readonly subscription: IDisposable;
}

/**
 * Pending elicitations of one session: they wait for the user and, after a page was opened, for the agent to report
 * that the user is done there. Each is answered exactly once.
 */
export class PendingElicitations {
  readonly #live = new Map<string, Live>();

  constructor(private readonly stage: ElicitationStage) {}

  /**
   * Shows an elicitation and waits for the user, without a time limit. Answers `cancel` when the turn is stopped (item
   * 168), when the agent withdraws it (item 177) and when the connection ends.
   * @param toolCallId of its call
   */
  request(
    message: string,
    ask: Elicitation['ask'],
    toolCallId: string | undefined,
    token: CancellationToken,
  ): Promise<CreateElicitationResponse> {
    const { stage } = this;
    if (stage.thread().turn?.stopping || token.isCancellationRequested) return Promise.resolve({ action: 'cancel' });
    const requestId = stage.newId('q');
    stage.dispatch({
      type: 'elicitation/requested',
      at: stage.clock.now(),
      requestId,
      message,
      ask,
      ...(toolCallId === undefined ? {} : { toolCallId: stage.callOf(toolCallId) }),
    });
    const answer = new Deferred<CreateElicitationResponse>();
    this.#live.set(requestId, {
      entryId: entryIdAt(stage.thread().entries.length - 1),
      elicitationId: ask.mode === 'url' ? ask.page.elicitationId : undefined,
      answer,
      subscription: token.onCancellationRequested(() => this.#withdraw(requestId)),
    });
    stage.announce({ requestId, title: elicitationTitle({ message, ask }) });
    return answer.promise;
  }

  /**
   * The user submits a form. Invalid values are refused in the thread, and nothing is sent.
   * @param check see `answerForm`
   */
  submit(requestId: string, check: (form: ElicitationForm) => FormAnswer): void {
    const entry = this.#entryOf(requestId);
    if (entry?.state !== 'waiting' || entry.ask.mode !== 'form') return;
    const answer = check(entry.ask.form);
    if ('errors' in answer)
      this.stage.dispatch({
        type: 'elicitation/refused',
        at: this.stage.clock.now(),
        entryId: entry.id,
        errors: answer.errors,
      });
    else this.#settle(requestId, { action: 'accept', content: answer.content }, 'accepted', answer.answers);
  }

  /** The page of an elicitation that waits for consent or for the user's actions there. */
  pageOf(requestId: string): WebPage | undefined {
    const ask = this.#entryOf(requestId)?.ask;
    return ask?.mode === 'url' ? ask.page : undefined;
  }

  /** The user agreed, and the page was opened. `accept` means no more than that for a page (item 165). */
  opened(requestId: string): void {
    if (this.pageOf(requestId)) this.#settle(requestId, { action: 'accept' }, 'opened');
  }

  decline(requestId: string): void {
    if (this.#entryOf(requestId)?.state === 'waiting') this.#settle(requestId, { action: 'decline' }, 'declined');
  }

  /** The user dismisses the elicitation, or no longer waits for the page. */
  cancel(requestId: string): void {
    this.#settle(
      requestId,
      { action: 'cancel' },
      this.#entryOf(requestId)?.state === 'opened' ? 'accepted' : 'cancelled',
    );
  }

  /**
   * The agent reports that a page is done. If the question is still pending, it is answered, since consent is no longer
   * needed.
   * @returns false for an id that is unknown or settled (item 165).
   */
  complete(elicitationId: string): boolean {
    for (const [requestId, live] of this.#live) {
      if (live.elicitationId !== elicitationId) continue;
      this.#settle(requestId, { action: 'cancel' }, 'completed');
      return true;
    }
    return false;
  }

  /** Answers everything with `cancel`: the turn was stopped, or the agent's process has ended. */
  withdrawAll(): void {
    for (const requestId of [...this.#live.keys()]) this.#withdraw(requestId);
  }

  #withdraw(requestId: string): void {
    this.#settle(
      requestId,
      { action: 'cancel' },
      this.#entryOf(requestId)?.state === 'opened' ? 'accepted' : 'withdrawn',
    );
  }

  /** Settles an elicitation. If an answer was already sent, none is sent again. */
  #settle(
    requestId: string,
    response: CreateElicitationResponse,
    state: Exclude<ElicitationState, 'waiting'>,
    answers?: readonly ElicitationAnswer[],
  ): void {
    const live = this.#live.get(requestId);
    if (!live) return;
    if (state !== 'opened') this.#live.delete(requestId);
    live.subscription.dispose();
    live.answer.resolve(response);
    this.stage.dispatch({
      type: 'elicitation/settled',
      at: this.stage.clock.now(),
      entryId: live.entryId,
      state,
      ...(answers ? { answers } : {}),
    });
  }

  #entryOf(requestId: string): Elicitation | undefined {
    const live = this.#live.get(requestId);
    const entry = live && this.stage.thread().entries.at(indexOfEntry(live.entryId));
    return entry?.kind === 'elicitation' ? entry : undefined;
  }
}
