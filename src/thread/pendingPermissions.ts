import * as l10n from '@vscode/l10n';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { PermissionChoice, PermissionParams } from '../acp/decodeRequest';
import type { ToolCallFields } from '../acp/decodeUpdate';
import type { CancellationToken } from '../base/cancellation';
import { Deferred } from '../base/deferred';
import type { IDisposable } from '../base/lifecycle';
import type { Clock } from '../base/scheduler';
import type { Assessment } from '../permission/assess';
import { isSameSubject, type PermissionSubject, type RequestWords } from '../permission/subject';
import type { ThreadAction } from './actions';
import { nameOf, pendingPermission, pendingPermissions, subjectIn } from './permissionRequests';
import { isOfChildSession } from './subagents';
import { entryIdAt, type PendingPermission, type Thread } from './thread';

/** The session that shows the questions. */
export interface PermissionStage {
  /** See `newIds`. */
  readonly newId: (kind: string) => string;
  readonly clock: Clock;
  thread(): Thread;
  dispatch(action: ThreadAction): void;
  /** A question to the user is now pending. */
  announce(question: { readonly requestId: string; readonly title: string }): void;
  notify(notice: Omit<Extract<ThreadAction, { type: 'notice/added' }>, 'type' | 'at'>): void;
}

/** The result of an assessment. */
export interface Checked {
  readonly assessment?: Assessment;
  /** The user's rules that reject it, with the option that they choose. */
  readonly rejection?: { readonly choice: PermissionChoice; readonly rules: readonly string[] };
}

/** Assesses a request, before it is shown and whenever the agent changes it. */
export interface PermissionChecks {
  /** The result of an earlier assessment, with its subject. */
  readonly first?: { readonly subject: PermissionSubject; readonly assessment?: Assessment };
  /** Never rejects. */
  check(subject: PermissionSubject): Promise<Checked>;
  /** The request was answered in its current form. */
  answered?(permission: PendingPermission, rules: readonly string[] | undefined): void;
}

interface PendingAnswer {
  readonly answer: Deferred<RequestPermissionResponse>;
  readonly subscription: IDisposable;
  readonly checks: PermissionChecks | undefined;
  /** The change that is being assessed, or was last. */
  checkedChange: number;
}

const ownPrefix = 'parley-question-';

const cancelledOutcome: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

/**
 * The most changes of a pending request. After each change, answers are blocked for a moment, so an agent could keep
 * the request from ever being answered. No known agent changes one at all.
 */
export const maxChanges = 10;

/** Pending permission requests of one session. Each is answered exactly once. */
export class PendingPermissions {
  readonly #pending = new Map<string, PendingAnswer>();

  constructor(private readonly stage: PermissionStage) {}

  /** The subject of a request in the current thread. */
  subjectOf(params: PermissionParams): PermissionSubject {
    return subjectIn(
      this.stage.thread(),
      params.toolCall ?? ownCall(params, ''),
      wordsOf(params) ?? {},
      params.options,
    );
  }

  /**
   * Shows the agent's request and waits for the user, without a time limit. Answers `cancelled` when the agent
   * withdraws it (item 129), when it is withdrawn here, and when the agent changes it more than `maxChanges` times.
   * @param isUnwanted the user is stopping its turn: it is answered `cancelled` without asking (item 124).
   * @param isOwn Parley itself asks
   */
  request(
    params: PermissionParams,
    token: CancellationToken,
    isUnwanted: boolean,
    checks?: PermissionChecks,
    isOwn = false,
  ): Promise<RequestPermissionResponse> {
    const { newId, clock } = this.stage;
    if (isUnwanted || token.isCancellationRequested) {
      if (params.toolCall) this.stage.dispatch({ type: 'toolCall/patched', at: clock.now(), fields: params.toolCall });
      return Promise.resolve(cancelledOutcome);
    }
    const fields = params.toolCall ?? ownCall(params, this.newCallId());
    const words = wordsOf(params);
    const { first } = checks ?? {};
    // The call has changed meanwhile, so the assessment is about another subject.
    const isStale = first !== undefined && !isSameSubject(first.subject, this.subjectOf(params));
    const assessment = isStale ? undefined : first?.assessment;
    const isChecking = first !== undefined && !assessment;
    // A click meant for another thread's request must not answer this one.
    const requestId = newId('p');
    const answer = new Deferred<RequestPermissionResponse>();
    const subscription = token.onCancellationRequested(() => this.#withdraw(requestId));
    this.#pending.set(requestId, { answer, subscription, checks, checkedChange: 0 });
    this.stage.dispatch({
      type: 'permission/requested',
      at: clock.now(),
      requestId,
      fields,
      options: params.options,
      ...(words ? { words } : {}),
      ...(assessment ? { assessment } : {}),
      ...(isChecking ? { isChecking } : {}),
      ...(isOwn ? { isOwn } : {}),
    });
    this.stage.announce({ requestId, title: (params.title ?? fields.title) || l10n.t('Permission') });
    if (isChecking) void this.#check(requestId);
    if (!params.toolCall) void answer.promise.then((response) => this.#endOwnCall(fields.toolCallId, params, response));
    return answer.promise;
  }

  /**
   * The user's choice. An option that was not offered, a second choice, and a choice for an earlier form of the request
   * have no effect (items 121, 129).
   * @param name see `nameOf`.
   */
  select(name: string, optionId: string): boolean {
    const permission = pendingPermissions(this.stage.thread()).find((item) => nameOf(item) === name);
    const choice = permission?.subject.options.find((option) => option.optionId === optionId);
    if (!permission || permission.isChecking || !choice) return false;
    return this.#choose(permission.requestId, choice);
  }

  /** Answers a request by the user's rules, and shows that on its call. `choice` is one of its options. */
  answer(params: PermissionParams, choice: PermissionChoice, rules: readonly string[]): RequestPermissionResponse {
    const fields = params.toolCall ?? ownCall(params, this.newCallId());
    const words = wordsOf(params);
    const response: RequestPermissionResponse = { outcome: { outcome: 'selected', optionId: choice.optionId } };
    this.stage.dispatch({
      type: 'permission/answered',
      at: this.stage.clock.now(),
      fields,
      ...(words ? { words } : {}),
      choice,
      rules,
    });
    if (!params.toolCall) this.#endOwnCall(fields.toolCallId, params, response);
    return response;
  }

  /** An update of a tool call was applied: changed requests are assessed again. */
  handleUpdate(toolCallId: string): void {
    const { entries, toolCalls } = this.stage.thread();
    const index = toolCalls.get(toolCallId);
    const call = index === undefined ? undefined : entries.at(index);
    if (call?.kind !== 'toolCall') return;
    for (const { requestId, changes, isChecking } of call.permissions) {
      const pending = this.#pending.get(requestId);
      if (pending && changes > maxChanges) this.#giveUp(requestId);
      else if (pending && isChecking && pending.checkedChange < changes) void this.#check(requestId);
    }
  }

  /** Withdraws all but those of subagents that may go on: the agent withdraws these. */
  withdrawOfTurn(): void {
    const thread = this.stage.thread();
    for (const { requestId, index } of thread.waiting)
      if (!isOfChildSession(thread, entryIdAt(index))) this.#withdraw(requestId);
  }

  withdrawAll(): void {
    for (const requestId of [...this.#pending.keys()]) this.#withdraw(requestId);
  }

  /** An id for a card of Parley's own. */
  newCallId(): string {
    return `${ownPrefix}${this.stage.newId('c')}`;
  }

  /** The agent cannot change a card of Parley's own or ask about it. */
  isOwnCall(toolCallId: string): boolean {
    return toolCallId.startsWith(ownPrefix);
  }

  /** Assesses the request in its current form. A later change starts its own assessment. */
  async #check(requestId: string): Promise<void> {
    const pending = this.#pending.get(requestId);
    const permission = pendingPermission(this.stage.thread(), requestId);
    if (!pending || !permission) return;
    const { changes, subject } = permission;
    pending.checkedChange = changes;
    const checked = await pending.checks?.check(subject);
    if (!this.#pending.has(requestId) || pending.checkedChange !== changes) return;
    if (checked?.rejection) this.#choose(requestId, checked.rejection.choice, checked.rejection.rules);
    else
      this.stage.dispatch({
        type: 'permission/assessed',
        at: this.stage.clock.now(),
        requestId,
        ...(checked?.assessment ? { assessment: checked.assessment } : {}),
      });
  }

  #choose(requestId: string, choice: PermissionChoice, rules?: readonly string[]): boolean {
    if (!this.#settle(requestId, { outcome: { outcome: 'selected', optionId: choice.optionId } }, rules)) return false;
    this.stage.dispatch({
      type: 'permission/resolved',
      at: this.stage.clock.now(),
      requestId,
      choice,
      ...(rules ? { rules } : {}),
    });
    return true;
  }

  #giveUp(requestId: string): void {
    const title = pendingPermission(this.stage.thread(), requestId)?.subject.title ?? '';
    this.#withdraw(requestId);
    this.stage.notify({
      severity: 'warning',
      title: l10n.t('Permission request cancelled: the agent kept changing it'),
      detail: l10n.t(
        '“{0}” changed more than {1} times before you answered, so Parley cancelled it. Ask the agent what it ' +
          'wants to do.',
        title,
        maxChanges,
      ),
    });
  }

  /** Ends the card of a request without a call, since the agent never reports its end. */
  #endOwnCall(toolCallId: string, { options }: PermissionParams, { outcome }: RequestPermissionResponse): void {
    const chosen =
      outcome.outcome === 'selected' ? options.find(({ optionId }) => optionId === outcome.optionId) : undefined;
    const isRejected = chosen?.kind === 'reject_once' || chosen?.kind === 'reject_always';
    const status = chosen === undefined ? 'cancelled' : isRejected ? 'failed' : 'completed';
    this.stage.dispatch({ type: 'toolCall/patched', at: this.stage.clock.now(), fields: { toolCallId, status } });
  }

  #withdraw(requestId: string): void {
    if (!this.#settle(requestId, cancelledOutcome)) return;
    this.stage.dispatch({ type: 'permission/resolved', at: this.stage.clock.now(), requestId });
  }

  #settle(requestId: string, response: RequestPermissionResponse, rules?: readonly string[]): boolean {
    const pending = this.#pending.get(requestId);
    if (!pending) return false;
    const permission = pendingPermission(this.stage.thread(), requestId);
    this.#pending.delete(requestId);
    pending.subscription.dispose();
    if (permission) pending.checks?.answered?.(permission, rules);
    return pending.answer.resolve(response);
  }
}

/** The card of a request without a call (item 200). It shows everything that is known. */
function ownCall({ title, description, command }: PermissionParams, toolCallId: string): ToolCallFields {
  return {
    toolCallId,
    title: title ?? l10n.t('Permission'),
    kind: command ? 'execute' : 'other',
    status: 'in_progress',
    content: [
      ...(description === undefined
        ? []
        : [{ type: 'content', content: { type: 'text', text: description } } as const]),
      ...(command?.terminalId === undefined ? [] : [{ type: 'terminal', terminalId: command.terminalId } as const]),
    ],
    ...(command ? { rawInput: { command: command.text, cwd: command.cwd } } : {}),
  };
}

/** The request's own words, in v2; the card of a request without a call already shows the rest. */
function wordsOf({ toolCall, title, description, command }: PermissionParams): RequestWords | undefined {
  if (title === undefined) return undefined;
  if (!toolCall) return { title };
  const { text, cwd } = command ?? {};
  return {
    title,
    ...(description === undefined ? {} : { description }),
    ...(text === undefined ? {} : { command: { text, ...(cwd === undefined ? {} : { cwd }) } }),
  };
}
