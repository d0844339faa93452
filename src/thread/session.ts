import type { ContentBlock, RequestPermissionResponse, ToolCallLocation } from '@agentclientprotocol/sdk';
import type { AgentConnection, TurnEnd } from '../acp/agentConnection';
import type { DecodedBlock } from '../acp/decodeContent';
import { nothingOffered, type OfferedOptions } from '../acp/decodeOptions';
import type { PermissionChoice, PermissionParams } from '../acp/decodeRequest';
import type { SessionState, ToolCallFields, Update } from '../acp/decodeUpdate';
import { AcpError, ConnectionEnded, ErrorCodes } from '../acp/errors';
import type { CancellationToken } from '../base/cancellation';
import { Emitter } from '../base/event';
import { Disposable, type IDisposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { Clock } from '../base/scheduler';
import type { Assessment } from '../permission/assess';
import type { ThreadAction } from './actions';
import { type AgentTerminalEvent, terminalEventsOf } from './agentTerminals';
import { chooseOption, type OptionLink } from './chooseOption';
import { describeError } from './errorWords';
import { Foreground } from './foreground';
import { actionsOf } from './fromAcp';
import { PendingElicitations } from './pendingElicitations';
import { PendingPermissions } from './pendingPermissions';
import { reduce } from './reducer';
import { SilenceWatch } from './silence';
import { emptyThread, entryIdAt, type EntryId, indexOfEntry, isOpen, type Thread } from './thread';
import { describeStopReason } from './words';

/** The calls of `AgentConnection` that a session makes. */
export interface SessionLink extends OptionLink, Pick<AgentConnection, 'prompt' | 'cancel' | 'cancelToolCall' | 'cancelTerminal'>, Partial<Pick<AgentConnection, 'workOutlivesTurn' | 'steer'>> {}

export interface Attachment {
  readonly sessionId: string;
  readonly link: SessionLink;
}

/** The prompt never reached an agent; why is told elsewhere. */
export class NotSent extends Error {
  constructor() {
    super('The prompt was not sent');
    this.name = 'NotSent';
  }
}

/** Why the turn failed stands in the thread. */
class AlreadyTold extends Error {
  constructor(reason: unknown) {
    super(`The turn ended: ${String(reason)}`);
    this.name = 'AlreadyTold';
  }
}

/** How long an agent may ignore Stop before the person is offered to end its process. */
export const forceStopAfterMs = 8_000;

/**
 * Owns one thread and the turn that runs in it: the asynchronous edge of the pure core. It outlives the agent: when a
 * process ends the session is detached, keeps its thread, and may be attached to another one.
 */
export class Session extends Disposable {
  private current: Thread = emptyThread;
  private attachment: Attachment | undefined;
  private turnCount = 0;
  private forceStopTimer: IDisposable | undefined;
  private unresponsive = false;
  /** The agent works on a prompt, or by itself: there is something to cancel. */
  private atAgent = false;
  private readonly permissions: PendingPermissions;
  private readonly foreground = new Foreground();
  /** Terminals of the agent's for which it takes `terminal/cancel` now (v2). */
  private readonly cancellableTerminals = new Set<string>();
  readonly elicitations: PendingElicitations;
  private readonly changeEmitter = this.register(new Emitter<Thread>());
  private readonly actionEmitter = this.register(new Emitter<ThreadAction>());
  private readonly terminalEmitter = this.register(new Emitter<AgentTerminalEvent>());
  private readonly askEmitter = this.register(new Emitter<{ readonly requestId: string; readonly title: string }>());
  private readonly turnEndEmitter = this.register(new Emitter<{ readonly stopReason: string }>());

  readonly silence: SilenceWatch;

  readonly onDidChange = this.changeEmitter.event;
  /** Every action that changed the thread, in order; replaying them gives the thread again. */
  readonly onDidAct = this.actionEmitter.event;
  readonly onDidReceiveTerminal = this.terminalEmitter.event;
  /** A question waits for the person. */
  readonly onDidAsk = this.askEmitter.event;
  readonly onDidEndTurn = this.turnEndEmitter.event;

  constructor(
    readonly id: string,
    private readonly clock: Clock,
    private readonly log: Logger,
    initial: Thread = emptyThread,
  ) {
    super();
    this.current = initial;
    this.silence = this.register(new SilenceWatch(clock, () => this.changeEmitter.fire(this.current)));
    const stage = {
      id,
      clock,
      thread: () => this.current,
      dispatch: (action: ThreadAction) => this.dispatch(action),
      announce: (question: { readonly requestId: string; readonly title: string }) => this.askEmitter.fire(question),
    };
    this.permissions = new PendingPermissions(stage);
    this.elicitations = new PendingElicitations(stage);
  }

  get thread(): Thread {
    return this.current;
  }

  get sessionId(): string | undefined {
    return this.attachment?.sessionId;
  }

  get isRunning(): boolean {
    return this.current.turn !== undefined;
  }

  /** True once the agent has ignored Stop for `forceStopAfterMs`. */
  get canForceStop(): boolean {
    return this.unresponsive;
  }

  /** Joins the session to an agent's. `offered` is what its response told; a new session knows nothing of the ids that are here. */
  attach(attachment: Attachment, offered: OfferedOptions, isNew = false): void {
    this.attachment = attachment;
    if (isNew && this.current.entries.length > 0) this.dispatch({ type: 'ids/forgotten', at: this.clock.now() });
    // A load that is answered with null says nothing against what its updates told.
    if (offered.modes ?? offered.models ?? offered.configOptions) this.dispatch({ type: 'options/replaced', at: this.clock.now(), offered });
  }

  /**
   * The agent is gone: every question is withdrawn, a running turn has failed (item 178). Nothing is written to the
   * link any more. The thread stays.
   */
  detach(): void {
    this.attachment = undefined;
    this.withdrawAll();
    this.foreground.reset();
    this.cancellableTerminals.clear();
    this.dispatch({ type: 'toolCalls/ended', at: this.clock.now() });
    this.dispatch({ type: 'commands/replaced', at: this.clock.now(), commands: [] });
    this.dispatch({ type: 'usage/cleared', at: this.clock.now() });
    this.dispatch({ type: 'compactions/ended', at: this.clock.now() });
    this.dispatch({ type: 'options/replaced', at: this.clock.now(), offered: nothingOffered });
  }

  /** Takes a decoded update, whether or not a turn runs (item 85). Synchronous, because order matters. */
  applyUpdate(update: Update): void {
    this.silence.heard();
    for (const action of actionsOf(update, this.clock.now())) this.dispatch(action);
    if (update.type === 'state') return this.handleState(update);
    if (update.type === 'terminal' && update.fields.canCancel !== undefined) this.cancellableTerminals[update.fields.canCancel ? 'add' : 'delete'](update.fields.terminalId);
    for (const event of terminalEventsOf(update)) this.terminalEmitter.fire(event);
  }

  /**
   * Runs a turn and resolves when it has ended. How it ended is told in the thread; this never rejects. The message
   * stands in the thread at once, also while the agent is still starting.
   * @param shown what the thread shows of the prompt.
   * @param prepare attaches the session if need be and gives what is sent; throws `NotSent` when that failed.
   * @param recover gives what is sent once more after the agent refused; undefined where the refusal is the end.
   * @returns false when the prompt was not taken (a turn runs already, or there is nothing to send).
   */
  async prompt(
    shown: readonly ContentBlock[],
    prepare: () => Promise<readonly ContentBlock[]> = () => Promise.resolve(shown),
    recover: (error: unknown) => Promise<readonly ContentBlock[] | undefined> = () => Promise.resolve(undefined),
  ): Promise<boolean> {
    // An empty prompt wedges at least one agent, and says nothing to any.
    if (this.current.turn || shown.length === 0) return false;
    const turnId = `t${++this.turnCount}`;
    this.dispatch({ type: 'turn/started', at: this.clock.now(), turnId, prompt: shown as readonly DecodedBlock[] });
    try {
      let blocks: readonly ContentBlock[] | undefined = await prepare();
      while (blocks) blocks = await this.send(turnId, blocks, recover);
    } catch (error) {
      this.failTurn(turnId, error);
    }
    // What has begun meanwhile is the agent's own work.
    this.followAgent();
    return true;
  }

  /** @returns what is to be sent once more. */
  private async send(turnId: string, blocks: readonly ContentBlock[], recover: (error: unknown) => Promise<readonly ContentBlock[] | undefined>): Promise<readonly ContentBlock[] | undefined> {
    const { attachment, current } = this;
    if (current.turn?.turnId !== turnId) return undefined;
    if (current.turn.stopping) {
      this.finishTurn(turnId, 'cancelled');
      return undefined;
    }
    if (!attachment) throw new NotSent();
    this.silence.start();
    this.atAgent = true;
    try {
      this.settleTurn(turnId, await this.endOf(attachment, turnId, blocks));
      return undefined;
    } catch (error) {
      this.atAgent = false;
      this.silence.stop();
      const again = this.thread.turn?.stopping ? undefined : await recover(error);
      if (!again) throw error;
      return again;
    }
  }

  /** The agent works on a prompt, and the person has not stopped it: a message can reach it. */
  get canSteer(): boolean {
    return this.atAgent && this.current.turn?.stopping === false && this.attachment?.link.steer !== undefined;
  }

  /**
   * Gives the agent a message while it works; the thread has it once the agent has taken it.
   * @param shown what the thread shows of it.
   * @returns false where no turn ran at the agent any more and it was not taken.
   * @throws AcpError when the agent refuses it.
   */
  async steer(shown: readonly ContentBlock[], blocks: readonly ContentBlock[]): Promise<boolean> {
    const { attachment } = this;
    if (!this.canSteer || !attachment || !(await attachment.link.steer!(attachment.sessionId, [...blocks]))) return false;
    this.dispatch({ type: 'prompt/steered', at: this.clock.now(), prompt: shown as readonly DecodedBlock[] });
    return true;
  }

  /** Stops the running turn: one `session/cancel` (item 170), open calls closed, questions answered. Without a turn, nothing. */
  cancel(): void {
    const { turn } = this.current;
    if (!turn || turn.stopping) return;
    const callsGoOn = this.workOutlivesTurn;
    this.dispatch({ type: 'turn/stopRequested', at: this.clock.now(), ...(callsGoOn ? { callsGoOn } : {}) });
    // What waits may belong to work that goes on; then the agent withdraws what does not.
    if (!callsGoOn) this.withdrawAll();
    this.foreground.stopRequested();
    // While the prompt is not with the agent there is nothing to cancel on its side.
    if (!this.attachment || !this.atAgent) return;
    const { link, sessionId } = this.attachment;
    link.cancel(sessionId).catch((error: unknown) => this.log.warn(`session/cancel could not be sent: ${String(error)}`));
    this.forceStopTimer = this.clock.setTimeout(() => {
      this.unresponsive = true;
      this.changeEmitter.fire(this.current);
    }, forceStopAfterMs);
  }

  /**
   * Shows the agent's question and waits for the person, however long. Answers `cancelled` when the turn is being
   * stopped (item 124), when the agent withdraws it (item 129) and when the connection ends.
   */
  requestPermission(params: PermissionParams, token: CancellationToken, assessment?: Assessment): Promise<RequestPermissionResponse> {
    return this.permissions.request(params, token, this.isStopping, assessment);
  }

  /** Answers the agent's question by a rule of the person's; `choice` is one of the offered options. */
  answerPermission(params: PermissionParams, choice: PermissionChoice, rules: readonly string[]): RequestPermissionResponse {
    return this.permissions.answer(params, choice, rules);
  }

  /** The person stops the turn and all that belongs to it: nothing is asked any more. */
  get isStopping(): boolean {
    return this.current.turn?.stopping === true && !this.workOutlivesTurn;
  }

  /**
   * Asks a question of Parley's own about what the agent wants to do, as a card like the agent's questions: it waits as
   * long as the person does, and Stop, the agent's withdrawal and the end of the connection answer it.
   * @returns the chosen option's id; undefined when nobody chose.
   */
  async ask(title: string, kind: NonNullable<ToolCallFields['kind']>, locations: readonly ToolCallLocation[], options: readonly PermissionChoice[], token: CancellationToken): Promise<string | undefined> {
    const toolCallId = this.permissions.newCallId();
    const toolCall: ToolCallFields = { toolCallId, title, kind, locations, status: 'in_progress' };
    const { outcome } = await this.requestPermission({ sessionId: this.id, toolCall, options }, token);
    const chosen = outcome.outcome === 'selected' ? outcome.optionId : undefined;
    const rejected = options.find((option) => option.optionId === chosen)?.kind !== 'allow_once';
    this.dispatch({ type: 'toolCall/patched', at: this.clock.now(), fields: { toolCallId, status: rejected ? 'failed' : 'completed' } });
    return chosen;
  }

  /** The person's choice. An option that was not offered, and a second choice, do nothing (items 121, 129). */
  selectPermission(requestId: string, optionId: string): boolean {
    return this.permissions.select(requestId, optionId);
  }

  /** Cancels one call, where the agent takes that now (item 196). It has ended only when the agent says so. */
  async cancelToolCall(entryId: EntryId): Promise<void> {
    const { attachment } = this;
    const call = this.current.entries.at(indexOfEntry(entryId));
    if (!attachment?.link.cancelToolCall || call?.kind !== 'toolCall' || !call.canCancel || !isOpen(call)) return;
    await attachment.link.cancelToolCall(attachment.sessionId, call.toolCallId);
  }

  /** Cancels one terminal of the agent's, where it takes that now (item 196). */
  async cancelTerminal(terminalId: string): Promise<void> {
    const { attachment } = this;
    if (!attachment?.link.cancelTerminal || !this.cancellableTerminals.has(terminalId)) return;
    await attachment.link.cancelTerminal(attachment.sessionId, terminalId);
  }

  /**
   * Asks the agent for another value of one of `thread.options.shown`; see `chooseOption`.
   * @throws AcpError when it is not to be had; the thread tells the reason too.
   */
  async setOption(key: string, value: string | boolean): Promise<void> {
    const { attachment } = this;
    if (!attachment) throw new AcpError(ErrorCodes.internalError, 'No agent is running');
    await chooseOption(this.current.options, key, value, attachment.link, attachment.sessionId, (action) => {
      if (this.attachment === attachment) this.dispatch({ ...action, at: this.clock.now() } as ThreadAction);
    });
  }

  /** The person has read why a choice could not be had. */
  dismissOptionProblem(): void {
    this.dispatch({ type: 'optionProblem/dismissed', at: this.clock.now() });
  }

  /** The person has read a notice of the agent. */
  dismissNotice(id: string): void {
    this.dispatch({ type: 'agentNotice/dismissed', at: this.clock.now(), id });
  }

  /** Says something of Parley's own in the thread. */
  notify(notice: Omit<Extract<ThreadAction, { type: 'notice/added' }>, 'type' | 'at'>): void {
    this.dispatch({ type: 'notice/added', at: this.clock.now(), ...notice });
  }

  override dispose(): void {
    this.withdrawAll();
    this.forceStopTimer?.dispose();
    super.dispose();
  }

  private get workOutlivesTurn(): boolean {
    return this.attachment?.link.workOutlivesTurn === true;
  }

  /** Sends a prompt. @returns how its turn ended: by the answer to it in v1, by an idle state of the session in v2. */
  private async endOf({ link, sessionId }: Attachment, turnId: string, blocks: readonly ContentBlock[]): Promise<TurnEnd> {
    const entryId = entryIdAt(this.current.turn!.firstIndex);
    this.foreground.begin();
    try {
      const answer = await link.prompt(sessionId, [...blocks]);
      if ('stopReason' in answer) return answer;
      if (answer.messageId !== undefined) this.dispatch({ type: 'message/identified', at: this.clock.now(), entryId, messageId: answer.messageId });
    } catch (error) {
      // The prompt was refused, but the agent works on something: the turn goes on until that ends.
      if (!this.foreground.isBusy || this.current.turn?.turnId !== turnId) throw error;
      if (!this.current.turn.stopping) this.notify(describeError(error, this.clock.now()));
      return this.idleEnd().catch((end: unknown) => Promise.reject(new AlreadyTold(end)));
    }
    return this.idleEnd();
  }

  /** @throws AcpError the failure that ended the work, or ConnectionEnded. */
  private async idleEnd(): Promise<TurnEnd> {
    const { stopReason, error, usage } = await this.foreground.whenIdle();
    if (error) throw new AcpError(error.code, error.message, error.data);
    return { stopReason: stopReason ?? (this.current.turn?.stopping ? 'cancelled' : 'end_turn'), ...(usage ? { usage } : {}) };
  }

  private handleState(state: SessionState): void {
    this.foreground.hear(state);
    this.followAgent();
  }

  /** An agent that works without having been asked has a turn without a prompt, which can be stopped like any other. */
  private followAgent(): void {
    if (!this.foreground.isBusy || this.current.turn) return;
    const turnId = `t${++this.turnCount}`;
    this.dispatch({ type: 'turn/started', at: this.clock.now(), turnId, prompt: [] });
    this.silence.start();
    this.atAgent = true;
    this.foreground.begin();
    void this.idleEnd()
      .then((end) => this.settleTurn(turnId, end), (error: unknown) => this.failTurn(turnId, error))
      .then(() => this.followAgent());
  }

  private settleTurn(turnId: string, { stopReason, usage }: TurnEnd): void {
    this.atAgent = false;
    if (usage) this.dispatch({ type: 'usage/updated', at: this.clock.now(), turn: usage });
    this.finishTurn(turnId, stopReason);
  }

  private finishTurn(turnId: string, stopReason: string): void {
    if (this.current.turn?.turnId !== turnId) return;
    this.endTurn(turnId, stopReason);
    const notice = describeStopReason(stopReason);
    if (notice) this.notify(notice);
    this.turnEndEmitter.fire({ stopReason });
  }

  private failTurn(turnId: string, error: unknown): void {
    if (this.current.turn?.turnId !== turnId) return;
    const stopping = this.current.turn.stopping;
    // An error in answer to our cancel is the cancellation (item 174).
    if (stopping) return this.finishTurn(turnId, 'cancelled');
    this.endTurn(turnId, 'failed');
    // When the process ended, whoever watches it says so, with the reason.
    if (error instanceof AlreadyTold) this.log.debug(error.message);
    else if (error instanceof NotSent) this.notify({ severity: 'info', title: 'Not sent', actions: ['retry'] });
    else if (!(error instanceof ConnectionEnded)) this.notify(describeError(error, this.clock.now()));
    this.turnEndEmitter.fire({ stopReason: 'failed' });
  }

  private endTurn(turnId: string, stopReason: string): void {
    this.forceStopTimer?.dispose();
    this.silence.stop();
    this.unresponsive = false;
    // Elicitations may outlive the turn: an agent that asks beside its work withdraws them itself.
    const callsGoOn = this.workOutlivesTurn;
    if (!callsGoOn) this.permissions.withdrawAll();
    this.dispatch({ type: 'turn/ended', at: this.clock.now(), turnId, stopReason, ...(callsGoOn ? { callsGoOn } : {}) });
  }

  private withdrawAll(): void {
    this.permissions.withdrawAll();
    this.elicitations.withdrawAll();
  }

  private dispatch(action: ThreadAction): void {
    const next = reduce(this.current, action);
    if (next === this.current) return;
    this.current = next;
    this.actionEmitter.fire(action);
    this.changeEmitter.fire(next);
  }
}
