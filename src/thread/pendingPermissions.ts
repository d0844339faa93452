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
import type { PendingPermission, Thread } from './thread';

/** The session that shows the questions. */
export interface PermissionStage {
  /** See `newIds`. */
  readonly newId: (kind: string) => string;
  readonly clock: Clock;
  thread(): Thread;
  dispatch(action: ThreadAction): void;
  /** A question waits for the user from now on. */
  announce(question: { readonly requestId: string; readonly title: string }): void;
  notify(notice: Omit<Extract<ThreadAction, { type: 'notice/added' }>, 'type' | 'at'>): void;
}

/** What was found out about a subject. */
export interface Checked {
  readonly assessment?: Assessment;
  /** Rules of the user's that reject it, with the offered option that they choose. */
  readonly rejection?: { readonly choice: PermissionChoice; readonly rules: readonly string[] };
}

/** How a request is looked into, before it is shown and whenever the agent changes it. */
export interface PermissionChecks {
  /** What was found out already, and about which subject. */
  readonly first?: { readonly subject: PermissionSubject; readonly assessment?: Assessment };
  /** Never rejects. */
  check(subject: PermissionSubject): Promise<Checked>;
  /** The request was answered as it stood then. */
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
 * So often an agent may change a request that waits. Each change gives the user a moment in which no answer counts, so
 * an agent that goes on and on would keep the request from ever being answered. No agent that we know changes one at
 * all.
 */
export const maxChanges = 10;

/** Permission requests of one session that wait for the user. Each is answered exactly once. */
export class PendingPermissions {
  readonly #pending = new Map<string, PendingAnswer>();

  constructor(private readonly stage: PermissionStage) {}

  /** What a request asks for in the thread as it is now. */
  subjectOf(params: PermissionParams): PermissionSubject {
    return subjectIn(
      this.stage.thread(),
      params.toolCall ?? ownCall(params, ''),
      wordsOf(params) ?? {},
      params.options,
    );
  }

  /**
   * Shows the agent's question and waits for the user, however long. Answers `cancelled` when the agent withdraws it
   * (item 129), when it is withdrawn here, and when the agent changes it more than `maxChanges` times.
   * @param isUnwanted the user is stopping what it belongs to: it is answered `cancelled` and never asked (item 124).
   */
  request(
    params: PermissionParams,
    token: CancellationToken,
    isUnwanted: boolean,
    checks?: PermissionChecks,
  ): Promise<RequestPermissionResponse> {
    const { newId, clock } = this.stage;
    if (isUnwanted || token.isCancellationRequested) {
      if (params.toolCall) this.stage.dispatch({ type: 'toolCall/patched', at: clock.now(), fields: params.toolCall });
      return Promise.resolve(cancelledOutcome);
    }
    const fields = params.toolCall ?? ownCall(params, this.newCallId());
    const words = wordsOf(params);
    const { first } = checks ?? {};
    // An update of the call that came meanwhile: what was found out is about something else.
    const isStale = first !== undefined && !isSameSubject(first.subject, this.subjectOf(params));
    const assessment = isStale ? undefined : first?.assessment;
    const isChecking = first !== undefined && !assessment;
    // A click that was on its way when another thread was shown must not answer that one's request.
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
    });
    this.stage.announce({ requestId, title: (params.title ?? fields.title) || l10n.t('Permission') });
    if (isChecking) void this.#check(requestId);
    if (!params.toolCall) void answer.promise.then((response) => this.#endOwnCall(fields.toolCallId, params, response));
    return answer.promise;
  }

  /**
   * The user's choice. An option that was not offered, a second choice, and a choice for what the request asked before
   * it changed do nothing (items 121, 129).
   * @param name see `nameOf`.
   */
  select(name: string, optionId: string): boolean {
    const permission = pendingPermissions(this.stage.thread()).find((item) => nameOf(item) === name);
    const choice = permission?.subject.options.find((option) => option.optionId === optionId);
    if (!permission || permission.isChecking || !choice) return false;
    return this.#choose(permission.requestId, choice);
  }

  /**
   * Answers a question by rules of the user's, and shows on its call that it was so. `choice` is one of its options.
   */
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

  /** An update of a tool call was applied: what changed with it is looked into again. */
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

  withdrawAll(): void {
    for (const requestId of [...this.#pending.keys()]) this.#withdraw(requestId);
  }

  /** An id for a card of Parley's own. */
  newCallId(): string {
    return `${ownPrefix}${this.stage.newId('c')}`;
  }

  /** A card of Parley's own is nothing that an agent could change or ask about. */
  isOwnCall(toolCallId: string): boolean {
    return toolCallId.startsWith(ownPrefix);
  }

  /** Assesses a request as it is now. A change that comes meanwhile is assessed by a check of its own. */
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
        '“{0}” changed more than {1} times before you answered, so Parley cancelled it. Ask the agent what it wants to do.',
        title,
        maxChanges,
      ),
    });
  }

  /** Nobody else says how it ended. */
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

/** The card of a question that is about no call (item 200). What it says is all that there is to know. */
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

/** A question's own words, as v2 has them; the card of one that is about no call says the rest itself. */
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
