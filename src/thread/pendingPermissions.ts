import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { PermissionChoice, PermissionParams } from '../acp/decodeRequest';
import type { ToolCallFields } from '../acp/decodeUpdate';
import type { CancellationToken } from '../base/cancellation';
import { Deferred } from '../base/deferred';
import type { IDisposable } from '../base/lifecycle';
import type { Clock } from '../base/scheduler';
import type { Assessment } from '../permission/assess';
import type { ThreadAction } from './actions';
import type { Thread } from './thread';

/** The session that shows the questions. */
export interface PermissionStage {
  readonly id: string;
  readonly clock: Clock;
  thread(): Thread;
  dispatch(action: ThreadAction): void;
  /** A question waits for the person from now on. */
  announce(question: { readonly requestId: string; readonly title: string }): void;
}

interface PendingAnswer {
  readonly answer: Deferred<RequestPermissionResponse>;
  readonly subscription: IDisposable;
}

const cancelledOutcome: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

/** Permission requests of one session that wait for the person. Each is answered exactly once. */
export class PendingPermissions {
  private readonly pending = new Map<string, PendingAnswer>();
  private requestCount = 0;

  constructor(private readonly stage: PermissionStage) {}

  /**
   * Shows the agent's question and waits for the person, however long. Answers `cancelled` when the agent withdraws it
   * (item 129) and when it is withdrawn here.
   * @param assessment what was found out about it before.
   * @param isUnwanted the person is stopping what it belongs to: it is answered `cancelled` and never asked (item 124).
   */
  request(params: PermissionParams, token: CancellationToken, isUnwanted: boolean, assessment?: Assessment): Promise<RequestPermissionResponse> {
    const { id, clock } = this.stage;
    if (isUnwanted || token.isCancellationRequested) {
      if (params.toolCall) this.stage.dispatch({ type: 'toolCall/patched', at: clock.now(), fields: params.toolCall });
      return Promise.resolve(cancelledOutcome);
    }
    const fields = params.toolCall ?? this.ownCall(params);
    // Unique over sessions: a click that was on its way when another thread was shown must not answer that one's question.
    const requestId = `${id.slice(0, 8)}-p${++this.requestCount}`;
    const answer = new Deferred<RequestPermissionResponse>();
    const subscription = token.onCancellationRequested(() => this.withdraw(requestId));
    this.pending.set(requestId, { answer, subscription });
    this.stage.dispatch({ type: 'permission/requested', at: clock.now(), requestId, fields, options: params.options, ...wordsOf(params), ...(assessment ? { assessment } : {}) });
    this.stage.announce({ requestId, title: (params.title ?? fields.title) || 'Permission' });
    if (!params.toolCall) void answer.promise.then((response) => this.endOwnCall(fields.toolCallId, params, response));
    return answer.promise;
  }

  /** The person's choice. An option that was not offered, and a second choice, do nothing (items 121, 129). */
  select(requestId: string, optionId: string): boolean {
    const { clock } = this.stage;
    const thread = this.stage.thread();
    const pending = this.pending.get(requestId);
    const waiting = thread.waiting.find((item) => item.requestId === requestId);
    const call = waiting && thread.entries.at(waiting.index);
    const permission = call?.kind === 'toolCall' ? call.permissions.find((item) => item.requestId === requestId) : undefined;
    const choice = permission?.options.find((option) => option.optionId === optionId);
    if (!pending || !choice) return false;
    this.settle(requestId, { outcome: { outcome: 'selected', optionId } });
    this.stage.dispatch({ type: 'permission/resolved', at: clock.now(), requestId, choice });
    return true;
  }

  /** Answers a question by rules of the person's, and shows on its call that it was so. `choice` is one of its options. */
  answer(params: PermissionParams, choice: PermissionChoice, rules: readonly string[]): RequestPermissionResponse {
    const fields = params.toolCall ?? this.ownCall(params);
    this.requestCount++;
    const response: RequestPermissionResponse = { outcome: { outcome: 'selected', optionId: choice.optionId } };
    this.stage.dispatch({ type: 'permission/answered', at: this.stage.clock.now(), fields, choice, rules });
    if (!params.toolCall) this.endOwnCall(fields.toolCallId, params, response);
    return response;
  }

  withdrawAll(): void {
    for (const requestId of [...this.pending.keys()]) this.withdraw(requestId);
  }

  /** An id for a card of Parley's own. */
  newCallId(): string {
    return `parley-question-${this.requestCount + 1}-${this.stage.clock.now()}`;
  }

  /** The card of a question that is about no call (item 200). What it says is all that there is to know. */
  private ownCall({ title, description, command }: PermissionParams): ToolCallFields {
    return {
      toolCallId: this.newCallId(),
      title: title ?? 'Permission',
      kind: command ? 'execute' : 'other',
      status: 'in_progress',
      content: [
        ...(description === undefined ? [] : [{ type: 'content', content: { type: 'text', text: description } } as const]),
        ...(command?.terminalId === undefined ? [] : [{ type: 'terminal', terminalId: command.terminalId } as const]),
      ],
      ...(command ? { rawInput: { command: command.text, cwd: command.cwd } } : {}),
    };
  }

  /** Nobody else says how it ended. */
  private endOwnCall(toolCallId: string, { options }: PermissionParams, { outcome }: RequestPermissionResponse): void {
    const chosen = outcome.outcome === 'selected' ? options.find(({ optionId }) => optionId === outcome.optionId) : undefined;
    const isRejected = chosen?.kind === 'reject_once' || chosen?.kind === 'reject_always';
    const status = chosen === undefined ? 'cancelled' : isRejected ? 'failed' : 'completed';
    this.stage.dispatch({ type: 'toolCall/patched', at: this.stage.clock.now(), fields: { toolCallId, status } });
  }

  private withdraw(requestId: string): void {
    if (!this.settle(requestId, cancelledOutcome)) return;
    this.stage.dispatch({ type: 'permission/resolved', at: this.stage.clock.now(), requestId });
  }

  private settle(requestId: string, response: RequestPermissionResponse): boolean {
    const pending = this.pending.get(requestId);
    if (!pending) return false;
    this.pending.delete(requestId);
    pending.subscription.dispose();
    return pending.answer.resolve(response);
  }
}

/** A question's own words, as v2 has them; the card of one that is about no call says the rest itself. */
function wordsOf({ toolCall, title, description, command }: PermissionParams): Pick<Extract<ThreadAction, { type: 'permission/requested' }>, 'words'> {
  if (title === undefined) return {};
  if (!toolCall) return { words: { title } };
  const { text, cwd } = command ?? {};
  return {
    words: {
      title,
      ...(description === undefined ? {} : { description }),
      ...(text === undefined ? {} : { command: { text, ...(cwd === undefined ? {} : { cwd }) } }),
    },
  };
}
