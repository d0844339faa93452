import * as l10n from '@vscode/l10n';
import type { ContentBlock, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { nothingOffered, type OfferedOptions } from '../acp/decodeOptions';
import type { PermissionChoice, PermissionParams } from '../acp/decodeRequest';
import type { ToolCallFields, Update } from '../acp/decodeUpdate';
import { AcpError, ErrorCodes } from '../acp/errors';
import type { CancellationToken } from '../base/cancellation';
import { Emitter } from '../base/event';
import { Disposable, type IDisposable, toDisposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { Clock } from '../base/scheduler';
import type { PermissionSubject } from '../permission/subject';
import type { ThreadAction } from './actions';
import { type AgentTerminalEvent, terminalEventsOf } from './agentTerminals';
import { CallIds } from './callIds';
import { chooseOption } from './chooseOption';
import { actionsOf } from './fromAcp';
import { PendingElicitations } from './pendingElicitations';
import { PendingPermissions, type PermissionChecks } from './pendingPermissions';
import { reduce } from './reducer';
import { newIds } from './newIds';
import type { Attachment } from './sessionLink';
import type { SilenceWatch } from './silence';
import { emptyThread, type EntryId, indexOfEntry, isOpen, type NoticeAction, type Thread } from './thread';
import { ThreadBudget } from './threadBudget';
import { Turns } from './turns';
import { UnaskedWork } from './unaskedWork';

/**
 * Owns one thread: the asynchronous edge of the pure core. It outlives the agent: when a process ends, the session is
 * detached, keeps its thread, and may be attached to another one.
 */
export class Session extends Disposable {
  #current: Thread = emptyThread;
  readonly #budget = new ThreadBudget();
  #attachment: Attachment | undefined;
  readonly #callIds = new CallIds(() => this.#current);
  readonly #unasked: UnaskedWork;
  readonly #permissions: PendingPermissions;
  readonly #turns: Turns;
  #askCount = 0;
  /** The agent's terminals for which it currently accepts `terminal/cancel` (v2). */
  readonly #cancellableTerminals = new Set<string>();
  readonly elicitations: PendingElicitations;
  readonly #changeEmitter = this.register(new Emitter<Thread>());
  readonly #actionEmitter = this.register(new Emitter<ThreadAction>());
  readonly #terminalEmitter = this.register(new Emitter<AgentTerminalEvent>());
  readonly #askEmitter = this.register(new Emitter<{ readonly requestId: string; readonly title: string }>());
  readonly #promptEmitter = this.register(new Emitter<{ readonly at: number }>());
  readonly #turnEndEmitter = this.register(new Emitter<{ readonly stopReason: string; readonly at: number }>());

  readonly onDidChange = this.#changeEmitter.event;
  /** Every action that changed the thread, in order; replaying them gives the thread again. */
  readonly onDidAct = this.#actionEmitter.event;
  readonly onDidReceiveTerminal = this.#terminalEmitter.event;
  /** A question to the user is pending. */
  readonly onDidAsk = this.#askEmitter.event;
  /** A prompt is about to leave for the agent. `at`: epoch ms */
  readonly onDidSendPrompt = this.#promptEmitter.event;
  /** `at`: when the bytes that report it were read, or when it was ended here; epoch ms. */
  readonly onDidEndTurn = this.#turnEndEmitter.event;

  constructor(
    readonly id: string,
    private readonly clock: Clock,
    private readonly log: Logger,
    initial: Thread = emptyThread,
  ) {
    super();
    this.#current = initial;
    this.#unasked = new UnaskedWork(() => this.#current);
    const stage = {
      newId: newIds(id, clock.now()),
      clock,
      thread: () => this.thread,
      dispatch: (action: ThreadAction) => this.#dispatch(action),
      announce: (question: { readonly requestId: string; readonly title: string }) => this.#askEmitter.fire(question),
      notify: (notice: Parameters<Session['notify']>[0]) => this.notify(notice),
    };
    this.#permissions = new PendingPermissions(stage);
    this.elicitations = new PendingElicitations({ ...stage, callOf: (id) => this.#callIds.inElicitation(id) });
    this.#turns = this.register(
      new Turns(
        {
          ...stage,
          attachment: () => this.#attachment,
          withdraw: (which) => (which === 'all' ? this.#withdrawAll() : this.#permissions.withdrawOfTurn()),
        },
        log,
      ),
    );
    this.register(this.#turns.onDidChange(() => this.#changeEmitter.fire(this.thread)));
    this.register(
      this.#turns.onDidSend(({ at }) => {
        this.#unasked.promptSent();
        this.#promptEmitter.fire({ at });
      }),
    );
    this.register(this.#turns.onDidEnd((end) => this.#turnEndEmitter.fire(end)));
  }

  get thread(): Thread {
    return this.#current;
  }

  get sessionId(): string | undefined {
    return this.#attachment?.sessionId;
  }

  get isRunning(): boolean {
    return this.#current.turn !== undefined;
  }

  /** True if a prompt is sent at once, as `Turns.takesPrompt`. */
  get takesPrompt(): boolean {
    return this.#turns.takesPrompt;
  }

  /** The turn that ended, or will end, only because its agent's process ends. */
  get cutOffTurn(): string | undefined {
    return this.#turns.cutOff;
  }

  /** See `UnpromptedWork.historyLeft`. */
  historyLeft(): number {
    return this.#turns.historyLeft();
  }

  /** The agent ignores Stop. */
  get canForceStop(): boolean {
    return this.#turns.canForceStop;
  }

  /** A message can reach the agent while it works. */
  get canSteer(): boolean {
    return this.#turns.canSteer;
  }

  /** The user is stopping the turn: no further questions are shown. */
  get isStopping(): boolean {
    return this.#turns.isStopping;
  }

  get silence(): SilenceWatch {
    return this.#turns.silence;
  }

  /**
   * Attaches the session to an agent's session. `offered` comes from its response; with `isNew`, existing ids do not
   * apply to it.
   */
  attach(attachment: Attachment, offered: OfferedOptions, isNew = false): void {
    this.#attachment = attachment;
    this.#turns.attached(isNew);
    if (isNew && this.#current.entries.length > 0) this.#dispatch({ type: 'ids/forgotten', at: this.clock.now() });
    // A load that is answered with null does not contradict its updates.
    if (offered.modes ?? offered.models ?? offered.configOptions)
      this.#dispatch({ type: 'options/replaced', at: this.clock.now(), offered });
  }

  /**
   * The agent's process has ended: every question is withdrawn, and a running turn fails (item 178). The link is no
   * longer used. The thread stays.
   */
  detach(): void {
    this.#attachment = undefined;
    this.#withdrawAll();
    this.#turns.detach();
    this.#cancellableTerminals.clear();
    this.#dispatch({ type: 'toolCalls/ended', at: this.clock.now() });
    this.#dispatch({ type: 'commands/replaced', at: this.clock.now(), commands: [] });
    this.#dispatch({ type: 'usage/cleared', at: this.clock.now() });
    this.#dispatch({ type: 'background/reported', at: this.clock.now() });
    this.#dispatch({ type: 'compactions/ended', at: this.clock.now() });
    this.#dispatch({ type: 'options/replaced', at: this.clock.now(), offered: nothingOffered });
  }

  /**
   * Applies a decoded update, even outside a turn (item 85). Synchronous, because order matters.
   * @param at when its bytes were read, epoch ms
   */
  applyUpdate(said: Update, at = this.clock.now()): void {
    const update = this.#unasked.inUpdate(this.#callIds.inUpdate(said));
    const belonging = this.#turns.hear(update, at);
    const toolCallId = callOf(update);
    if (toolCallId !== undefined && this.#permissions.isOwnCall(toolCallId))
      return this.log.warn('An update for a card of Parley’s own was ignored');
    for (const action of actionsOf(update, at, belonging)) this.#dispatch(action);
    if (toolCallId !== undefined) this.#permissions.handleUpdate(toolCallId);
    if (update.type === 'terminal' && update.fields.canCancel !== undefined)
      this.#cancellableTerminals[update.fields.canCancel ? 'add' : 'delete'](update.fields.terminalId);
    // Some agents give a call's terminal the id of the call.
    for (const event of terminalEventsOf(update))
      this.#terminalEmitter.fire(
        toolCallId !== undefined && event.terminalId === callOf(said) ? { ...event, terminalId: toolCallId } : event,
      );
  }

  /** Resolves when everything that the agent has sent so far is in the thread. */
  async caughtUp(): Promise<void> {
    await this.#attachment?.link.caughtUp?.();
  }

  /** The agent requests some work, such as a write; if no turn runs, this begins one without a prompt. */
  works(): void {
    this.#turns.works();
  }

  /** Runs a turn, as `Turns.prompt`. By default, the shown blocks are sent, and a refusal ends it. */
  prompt(
    shown: readonly ContentBlock[],
    prepare: () => Promise<readonly ContentBlock[]> = () => Promise.resolve(shown),
    recover: (error: unknown) => Promise<readonly ContentBlock[] | undefined> = () => Promise.resolve(undefined),
  ): Promise<boolean> {
    return this.#turns.prompt(shown, prepare, recover);
  }

  /** Sends the agent a message while it works, as `Turns.steer`. */
  steer(shown: readonly ContentBlock[], blocks: readonly ContentBlock[]): Promise<boolean> {
    return this.#turns.steer(shown, blocks);
  }

  /** Stops the running turn, as `Turns.cancel`. */
  cancel(): void {
    this.#turns.cancel();
  }

  /**
   * Shows the agent's request and waits for the user, without a time limit. Answers `cancelled` when the turn is
   * stopped (item 124), when the agent withdraws it (item 129) or keeps changing it, and when the connection ends.
   * @param checks assesses it; if absent, it is shown as it is.
   */
  requestPermission(
    params: PermissionParams,
    token: CancellationToken,
    checks?: PermissionChecks,
  ): Promise<RequestPermissionResponse> {
    if (params.toolCall && this.#permissions.isOwnCall(params.toolCall.toolCallId))
      throw AcpError.invalidParams('toolCall.toolCallId is one that the client uses itself');
    this.works();
    this.#unasked.asked();
    return this.#permissions.request(this.#callIds.inRequest(params), token, this.isStopping, checks);
  }

  /** The subject of a request, with the current fields of its call. */
  subjectOf(params: PermissionParams): PermissionSubject {
    return this.#permissions.subjectOf(this.#callIds.inRequest(params));
  }

  /** Answers the agent's request by the user's rules; `choice` is one of the offered options. */
  answerPermission(
    params: PermissionParams,
    choice: PermissionChoice,
    rules: readonly string[],
  ): RequestPermissionResponse {
    this.works();
    this.#unasked.asked();
    return this.#permissions.answer(this.#callIds.inRequest(params), choice, rules);
  }

  /**
   * Asks Parley's own question about an action of the agent, on a card like a permission request. It waits without a
   * time limit; Stop, the agent's withdrawal and the end of the connection answer it.
   * @returns the chosen option's id; undefined if the user did not choose.
   */
  async ask(
    about: Pick<ToolCallFields, 'title' | 'kind' | 'locations' | 'rawInput'>,
    options: readonly PermissionChoice[],
    token: CancellationToken,
  ): Promise<string | undefined> {
    this.works();
    const toolCallId = this.#permissions.newCallId();
    const toolCall: ToolCallFields = { ...about, toolCallId, status: 'in_progress' };
    const { outcome } = await this.#permissions.request(
      { sessionId: this.id, toolCall, options },
      token,
      this.isStopping,
      undefined,
      true,
    );
    const chosen = outcome.outcome === 'selected' ? outcome.optionId : undefined;
    const rejected = options.find((option) => option.optionId === chosen)?.kind !== 'allow_once';
    this.#dispatch({
      type: 'toolCall/patched',
      at: this.clock.now(),
      fields: { toolCallId, status: rejected ? 'failed' : 'completed' },
    });
    return chosen;
  }

  /**
   * Marks the session as waiting for the user, until disposed: Parley itself asks in a notice, a card or a dialog.
   * @param entryId the entry that asks, if there is one
   */
  waitFor(title: string, entryId?: EntryId): IDisposable {
    const requestId = `${this.id.slice(0, 8)}-o${++this.#askCount}`;
    this.#dispatch({
      type: 'ask/began',
      at: this.clock.now(),
      requestId,
      title,
      ...(entryId === undefined ? {} : { entryId }),
    });
    this.#askEmitter.fire({ requestId, title });
    return toDisposable(() => this.#dispatch({ type: 'ask/ended', at: this.clock.now(), requestId }));
  }

  /** Notes where the hunks of a patch in the raw input begin, if the call still has that input. */
  placePatch(toolCallId: string, rawInput: unknown, patchLines: NonNullable<ToolCallFields['patchLines']>): void {
    const index = this.#current.toolCalls.get(toolCallId);
    const call = index === undefined ? undefined : this.#current.entries.at(index);
    if (call?.kind === 'toolCall' && call.rawInput === rawInput)
      this.#dispatch({ type: 'toolCall/patched', at: this.clock.now(), fields: { toolCallId, patchLines } });
  }

  /** The user's choice, as `PendingPermissions.select`: only for the current form of the request. */
  selectPermission(name: string, optionId: string): boolean {
    return this.#permissions.select(name, optionId);
  }

  /**
   * Asks the agent to cancel one call (item 196) or one subagent, if it accepts that now. It ends only when the agent
   * says so.
   */
  async cancelToolCall(entryId: EntryId): Promise<void> {
    const attachment = this.#attachment;
    const call = this.#current.entries.at(indexOfEntry(entryId));
    if (!attachment || call?.kind !== 'toolCall' || !call.canCancel || !isOpen(call)) return;
    if (call.childSession !== undefined) await attachment.link.cancel(call.childSession);
    else await attachment.link.cancelToolCall?.(attachment.sessionId, call.toolCallId);
  }

  /** Asks the agent to cancel one of its terminals, if it accepts that now (item 196). */
  async cancelTerminal(terminalId: string): Promise<void> {
    const attachment = this.#attachment;
    if (!attachment?.link.cancelTerminal || !this.#cancellableTerminals.has(terminalId)) return;
    await attachment.link.cancelTerminal(attachment.sessionId, terminalId);
  }

  /**
   * Asks the agent to change one of `thread.options.shown`; see `chooseOption`.
   * @throws AcpError if it fails; the thread shows the reason, too.
   */
  async setOption(key: string, value: string | boolean): Promise<void> {
    const attachment = this.#attachment;
    if (!attachment) throw new AcpError(ErrorCodes.internalError, l10n.t('No agent is running'));
    await chooseOption(this.#current.options, key, value, attachment.link, attachment.sessionId, (action) => {
      if (this.#attachment === attachment) this.#dispatch({ ...action, at: this.clock.now() } as ThreadAction);
    });
  }

  /** The user dismissed the reason why a choice failed. */
  dismissOptionProblem(): void {
    this.#dispatch({ type: 'optionProblem/dismissed', at: this.clock.now() });
  }

  /** The user dismissed a notice of the agent. */
  dismissNotice(id: string): void {
    this.#dispatch({ type: 'agentNotice/dismissed', at: this.clock.now(), id });
  }

  /** Adds a notice of Parley itself to the thread. */
  notify(notice: Omit<Extract<ThreadAction, { type: 'notice/added' }>, 'type' | 'at'>): void {
    this.#dispatch({ type: 'notice/added', at: this.clock.now(), ...notice });
  }

  /** Removes a prompt and everything after it from the conversation, unless a turn runs. See `rewind.ts`. */
  rewind(
    entryId: EntryId,
    told: Omit<Extract<ThreadAction, { type: 'thread/rewound' }>, 'type' | 'at' | 'entryId'>,
  ): void {
    this.#dispatch({ type: 'thread/rewound', at: this.clock.now(), entryId, ...told });
  }

  /** Reverses the last rewind, unless a turn runs. */
  undoRewind(): void {
    this.#dispatch({ type: 'thread/rewindUndone', at: this.clock.now() });
  }

  /** The newest notice that offers `action` was answered. @param title the notice's new title */
  settleNotice(action: NoticeAction, title: string): void {
    this.#dispatch({ type: 'notice/settled', at: this.clock.now(), action, title });
  }

  override dispose(): void {
    this.#withdrawAll();
    super.dispose();
  }

  #withdrawAll(): void {
    this.#permissions.withdrawAll();
    this.elicitations.withdrawAll();
  }

  #dispatch(action: ThreadAction): void {
    const reduced = reduce(this.#current, action);
    if (reduced === this.#current) return;
    const next = this.#budget.after(action, reduced);
    this.#current = next;
    this.#actionEmitter.fire(action);
    this.#changeEmitter.fire(next);
  }
}

/** The id of the call that an update is about. */
function callOf(update: Update): string | undefined {
  return update.type === 'toolCall'
    ? update.fields.toolCallId
    : update.type === 'toolContent'
      ? update.toolCallId
      : undefined;
}
