import * as l10n from '@vscode/l10n';
import type { ContentBlock, RequestPermissionResponse, ToolCallLocation } from '@agentclientprotocol/sdk';
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
 * Owns one thread: the asynchronous edge of the pure core. It outlives the agent: when a process ends the session is
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
  /** Terminals of the agent's for which it takes `terminal/cancel` now (v2). */
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
  /** A question waits for the user. */
  readonly onDidAsk = this.#askEmitter.event;
  /** A prompt is about to leave for the agent. `at`: epoch ms */
  readonly onDidSendPrompt = this.#promptEmitter.event;
  /** `at`: when the bytes that say so were read, or when it was ended here; epoch ms. */
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
      new Turns({
        ...stage,
        log,
        attachment: () => this.#attachment,
        changed: () => this.#changeEmitter.fire(this.thread),
        withdraw: (which) => (which === 'all' ? this.#withdrawAll() : this.#permissions.withdrawAll()),
        sends: (at) => {
          this.#unasked.promptSent();
          this.#promptEmitter.fire({ at });
        },
        ended: (stopReason, at) => this.#turnEndEmitter.fire({ stopReason, at }),
      }),
    );
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

  /** A prompt is sent at once, as `Turns.takesPrompt`. */
  get takesPrompt(): boolean {
    return this.#turns.takesPrompt;
  }

  /** The turn that ends, or ended last, only because its agent goes. */
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

  /** The user stops the turn and all that belongs to it: nothing is asked any more. */
  get isStopping(): boolean {
    return this.#turns.isStopping;
  }

  get silence(): SilenceWatch {
    return this.#turns.silence;
  }

  /**
   * Joins the session to an agent's. `offered` is what its response told; a new session knows nothing of the ids that
   * are here.
   */
  attach(attachment: Attachment, offered: OfferedOptions, isNew = false): void {
    this.#attachment = attachment;
    this.#turns.attached(isNew);
    if (isNew && this.#current.entries.length > 0) this.#dispatch({ type: 'ids/forgotten', at: this.clock.now() });
    // A load that is answered with null says nothing against what its updates told.
    if (offered.modes ?? offered.models ?? offered.configOptions)
      this.#dispatch({ type: 'options/replaced', at: this.clock.now(), offered });
  }

  /**
   * The agent is gone: every question is withdrawn, a running turn has failed (item 178). Nothing is written to the
   * link any more. The thread stays.
   */
  detach(): void {
    this.#attachment = undefined;
    this.#withdrawAll();
    this.#turns.detach();
    this.#cancellableTerminals.clear();
    this.#dispatch({ type: 'toolCalls/ended', at: this.clock.now() });
    this.#dispatch({ type: 'commands/replaced', at: this.clock.now(), commands: [] });
    this.#dispatch({ type: 'usage/cleared', at: this.clock.now() });
    this.#dispatch({ type: 'compactions/ended', at: this.clock.now() });
    this.#dispatch({ type: 'options/replaced', at: this.clock.now(), offered: nothingOffered });
  }

  /**
   * Takes a decoded update, whether or not a turn runs (item 85). Synchronous, because order matters.
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
    // Some agents give the terminal of a call its id.
    for (const event of terminalEventsOf(update))
      this.#terminalEmitter.fire(
        toolCallId !== undefined && event.terminalId === callOf(said) ? { ...event, terminalId: toolCallId } : event,
      );
  }

  /** Resolves when all is in the thread that the agent has sent by now. */
  async caughtUp(): Promise<void> {
    await this.#attachment?.link.caughtUp?.();
  }

  /** The agent asks for something that is work, such as a write; where no turn runs, it works by itself. */
  works(): void {
    this.#turns.works();
  }

  /**
   * Runs a turn, as `Turns.prompt`. What is shown is sent, and a refusal is the end, unless something else is given.
   */
  prompt(
    shown: readonly ContentBlock[],
    prepare: () => Promise<readonly ContentBlock[]> = () => Promise.resolve(shown),
    recover: (error: unknown) => Promise<readonly ContentBlock[] | undefined> = () => Promise.resolve(undefined),
  ): Promise<boolean> {
    return this.#turns.prompt(shown, prepare, recover);
  }

  /** Gives the agent a message while it works, as `Turns.steer`. */
  steer(shown: readonly ContentBlock[], blocks: readonly ContentBlock[]): Promise<boolean> {
    return this.#turns.steer(shown, blocks);
  }

  /** Stops the running turn, as `Turns.cancel`. */
  cancel(): void {
    this.#turns.cancel();
  }

  /**
   * Shows the agent's question and waits for the user, however long. Answers `cancelled` when the turn is being
   * stopped (item 124), when the agent withdraws it (item 129), when it changes it without end and when the connection
   * ends.
   * @param checks how it is looked into; it is shown as it is where absent.
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

  /** What a request asks for, with what is known of its call now. */
  subjectOf(params: PermissionParams): PermissionSubject {
    return this.#permissions.subjectOf(this.#callIds.inRequest(params));
  }

  /** Answers the agent's question by a rule of the user's; `choice` is one of the offered options. */
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
   * Asks a question of Parley's own about what the agent wants to do, as a card like the agent's questions: it waits as
   * long as the user does, and Stop, the agent's withdrawal and the end of the connection answer it.
   * @returns the chosen option's id; undefined when nobody chose.
   */
  async ask(
    title: string,
    kind: NonNullable<ToolCallFields['kind']>,
    locations: readonly ToolCallLocation[],
    options: readonly PermissionChoice[],
    token: CancellationToken,
  ): Promise<string | undefined> {
    this.works();
    const toolCallId = this.#permissions.newCallId();
    const toolCall: ToolCallFields = { toolCallId, title, kind, locations, status: 'in_progress' };
    const { outcome } = await this.#permissions.request(
      { sessionId: this.id, toolCall, options },
      token,
      this.isStopping,
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
   * Parley itself asks the user in a notice, a card or a dialog, and something waits for the answer: until it is
   * disposed the session waits for the user as for a request of the agent.
   * @param entryId the entry that asks, where one does
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

  /** The user's choice, as `PendingPermissions.select`: only for what the request asks now. */
  selectPermission(name: string, optionId: string): boolean {
    return this.#permissions.select(name, optionId);
  }

  /** Cancels one call, where the agent takes that now (item 196). It has ended only when the agent says so. */
  async cancelToolCall(entryId: EntryId): Promise<void> {
    const attachment = this.#attachment;
    const call = this.#current.entries.at(indexOfEntry(entryId));
    if (!attachment?.link.cancelToolCall || call?.kind !== 'toolCall' || !call.canCancel || !isOpen(call)) return;
    await attachment.link.cancelToolCall(attachment.sessionId, call.toolCallId);
  }

  /** Cancels one terminal of the agent's, where it takes that now (item 196). */
  async cancelTerminal(terminalId: string): Promise<void> {
    const attachment = this.#attachment;
    if (!attachment?.link.cancelTerminal || !this.#cancellableTerminals.has(terminalId)) return;
    await attachment.link.cancelTerminal(attachment.sessionId, terminalId);
  }

  /**
   * Asks the agent for another value of one of `thread.options.shown`; see `chooseOption`.
   * @throws AcpError when it is not to be had; the thread tells the reason too.
   */
  async setOption(key: string, value: string | boolean): Promise<void> {
    const attachment = this.#attachment;
    if (!attachment) throw new AcpError(ErrorCodes.internalError, l10n.t('No agent is running'));
    await chooseOption(this.#current.options, key, value, attachment.link, attachment.sessionId, (action) => {
      if (this.#attachment === attachment) this.#dispatch({ ...action, at: this.clock.now() } as ThreadAction);
    });
  }

  /** The user has read why a choice could not be had. */
  dismissOptionProblem(): void {
    this.#dispatch({ type: 'optionProblem/dismissed', at: this.clock.now() });
  }

  /** The user has read a notice of the agent. */
  dismissNotice(id: string): void {
    this.#dispatch({ type: 'agentNotice/dismissed', at: this.clock.now(), id });
  }

  /** Says something of Parley's own in the thread. */
  notify(notice: Omit<Extract<ThreadAction, { type: 'notice/added' }>, 'type' | 'at'>): void {
    this.#dispatch({ type: 'notice/added', at: this.clock.now(), ...notice });
  }

  /** Takes a prompt and all that follows it out of the conversation; nothing while a turn runs. See `rewind.ts`. */
  rewind(
    entryId: EntryId,
    told: Omit<Extract<ThreadAction, { type: 'thread/rewound' }>, 'type' | 'at' | 'entryId'>,
  ): void {
    this.#dispatch({ type: 'thread/rewound', at: this.clock.now(), entryId, ...told });
  }

  /** Takes the last rewind back; nothing while a turn runs. */
  undoRewind(): void {
    this.#dispatch({ type: 'thread/rewindUndone', at: this.clock.now() });
  }

  /** The newest notice that offers `action` was answered. @param title what it says from now on */
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
