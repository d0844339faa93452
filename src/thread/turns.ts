import * as l10n from '@vscode/l10n';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { TurnEnd } from '../acp/agentConnection';
import type { DecodedBlock } from '../acp/decodeContent';
import type { SessionState, Update } from '../acp/decodeUpdate';
import { AcpError, ConnectionEnded } from '../acp/errors';
import { Emitter } from '../base/event';
import { Disposable, type IDisposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { Clock } from '../base/scheduler';
import type { ThreadAction } from './actions';
import { describeError } from './errorWords';
import { Foreground } from './foreground';
import { type Attachment, NotSent } from './sessionLink';
import { SilenceWatch } from './silence';
import { entryIdAt, isUnprompted, type Thread } from './thread';
import { type Belonging, UnpromptedWork } from './unpromptedWork';
import { describeStopReason } from './words';

/** The reason for the failure is already in the thread. */
class AlreadyTold extends Error {
  constructor(reason: unknown) {
    super(`The turn ended: ${String(reason)}`);
    this.name = 'AlreadyTold';
  }
}

/** After this time of ignoring Stop, the user can end the agent's process. */
export const forceStopAfterMs = 8_000;

/** The session whose turns they are. */
export interface TurnStage {
  /** The session of these turns. */
  readonly newId: (kind: string) => string;
  readonly clock: Clock;
  thread(): Thread;
  /** The session's connection and id at its agent; undefined if it has none. */
  attachment(): Attachment | undefined;
  dispatch(action: ThreadAction): void;
  notify(notice: Omit<Extract<ThreadAction, { type: 'notice/added' }>, 'type' | 'at'>): void;
  /** Withdraws pending questions with the turn: `all` of them, or only the agent's permission requests. */
  withdraw(which: 'all' | 'permissions'): void;
}

/**
 * The turns of one session: sends prompts, follows work that the agent begins without a prompt, stops it. Each turn
 * ends exactly once.
 */
export class Turns extends Disposable {
  readonly silence: SilenceWatch;
  readonly #foreground = new Foreground();
  readonly #unprompted: UnpromptedWork;
  #forceStopTimer: IDisposable | undefined;
  /** The turn that was cut off when its link broke. */
  #broken: string | undefined;
  #unresponsive = false;
  /** The agent works, with or without a prompt, so that there is something to cancel. */
  #atAgent = false;

  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly #sendEmitter = this.register(new Emitter<{ readonly at: number }>());
  readonly #endEmitter = this.register(new Emitter<{ readonly stopReason: string; readonly at: number }>());

  /** A state outside the thread has changed: the agent ignores Stop, or is silent for a while. */
  readonly onDidChange = this.#changeEmitter.event;
  /** A prompt is about to leave for the agent. `at`: epoch ms. */
  readonly onDidSend = this.#sendEmitter.event;
  /** `at`: when the bytes that report it were read, or when it was ended here; epoch ms. */
  readonly onDidEnd = this.#endEmitter.event;

  constructor(
    private readonly stage: TurnStage,
    private readonly log: Logger,
  ) {
    super();
    this.silence = this.register(new SilenceWatch(stage.clock, () => this.#changeEmitter.fire()));
    this.#unprompted = this.register(
      new UnpromptedWork({
        clock: stage.clock,
        thread: () => stage.thread(),
        tell: (works, at) => this.#follow({ type: 'state', state: works ? 'running' : 'idle' }, at),
        historyEnded: () => stage.dispatch({ type: 'toolCalls/ended', at: stage.clock.now() }),
      }),
    );
  }

  /** True once the agent has ignored Stop for `forceStopAfterMs`. */
  get canForceStop(): boolean {
    return this.#unresponsive;
  }

  /** The agent works on a prompt that the user has not stopped: a message can reach it. */
  get canSteer(): boolean {
    return this.#atAgent && this.#current?.stopping === false && this.stage.attachment()?.link.steer !== undefined;
  }

  /**
   * The turn that ended, or will end, only because the agent's process ends; the link often breaks before the end of
   * the process is seen.
   */
  get cutOff(): string | undefined {
    return this.#current && !this.#current.stopping && !isUnprompted(this.stage.thread())
      ? this.#current.turnId
      : this.#broken;
  }

  /**
   * True if a prompt can be sent: no turn runs, or one that a prompt ends. Work without a prompt does not block it,
   * unless the agent reports its end (v2).
   */
  get takesPrompt(): boolean {
    return !this.#current || (isUnprompted(this.stage.thread()) && !this.#workOutlivesTurn);
  }

  /** See `UnpromptedWork.historyLeft`. */
  historyLeft(): number {
    return this.#unprompted.historyLeft();
  }

  /** The user is stopping the turn: no further questions are shown. */
  get isStopping(): boolean {
    return this.#current?.stopping === true && !this.#workOutlivesTurn;
  }

  /**
   * Runs a turn and resolves at its end. The thread tells how it ended; this never rejects. The message is in the
   * thread at once, even while the agent is starting.
   * @param shown the blocks for the thread.
   * @param prepare attaches the session if needed and returns the blocks to send; throws `NotSent` if that failed.
   * @param recover returns the blocks to send again after a refusal; undefined if the refusal is final.
   * @returns false if the prompt was not accepted (a turn already runs, or there is nothing to send).
   */
  async prompt(
    shown: readonly ContentBlock[],
    prepare: () => Promise<readonly ContentBlock[]>,
    recover: (error: unknown) => Promise<readonly ContentBlock[] | undefined>,
  ): Promise<boolean> {
    // An empty prompt blocks at least one agent, and means nothing to the others.
    if (!this.takesPrompt || shown.length === 0) return false;
    this.#unprompted.prompted();
    if (this.#current) this.#finish(this.#current.turnId, this.#current.stopping ? 'cancelled' : 'end_turn');
    const turnId = this.#start(shown as readonly DecodedBlock[]);
    try {
      let blocks: readonly ContentBlock[] | undefined = await prepare();
      while (blocks) blocks = await this.#send(turnId, blocks, recover);
    } catch (error) {
      this.#fail(turnId, error);
    }
    // Work that has begun meanwhile is the agent's own.
    this.#followAgent();
    return true;
  }

  /**
   * Sends the agent a message while it works; it is added to the thread once the agent has accepted it.
   * @param shown the blocks for the thread.
   * @returns false if the agent no longer ran a turn and did not accept it.
   * @throws AcpError if the agent refuses it.
   */
  async steer(shown: readonly ContentBlock[], blocks: readonly ContentBlock[]): Promise<boolean> {
    const attachment = this.stage.attachment();
    if (!this.canSteer || !attachment || !(await attachment.link.steer!(attachment.sessionId, [...blocks])))
      return false;
    this.stage.dispatch({
      type: 'prompt/steered',
      at: this.stage.clock.now(),
      prompt: shown as readonly DecodedBlock[],
    });
    return true;
  }

  /**
   * Stops the running turn: sends one `session/cancel` (item 170), closes open calls, answers questions. Without a
   * turn, does nothing.
   */
  cancel(): void {
    const { stage } = this;
    const turn = this.#current;
    if (!turn || turn.stopping) return;
    const callsGoOn = this.#workOutlivesTurn;
    stage.dispatch({ type: 'turn/stopRequested', at: stage.clock.now(), ...(callsGoOn ? { callsGoOn } : {}) });
    // Pending questions may belong to work that continues; the agent withdraws the others.
    if (!callsGoOn) stage.withdraw('all');
    this.#foreground.stopRequested();
    this.#unprompted.stopRequested();
    // Before the prompt was sent, the agent has nothing to cancel.
    const attachment = stage.attachment();
    if (!attachment || !this.#atAgent) return;
    const { link, sessionId } = attachment;
    link
      .cancel(sessionId)
      .catch((error: unknown) => this.log.warn(`session/cancel could not be sent: ${String(error)}`));
    this.#forceStopTimer = stage.clock.setTimeout(() => {
      this.#unresponsive = true;
      this.#changeEmitter.fire();
    }, forceStopAfterMs);
  }

  /**
   * Receives an update before it is applied.
   * @param receivedAt when its bytes were read, epoch ms
   * @returns what its words belong to
   */
  hear(update: Update, receivedAt: number): Belonging {
    this.silence.heard();
    const belonging = this.#unprompted.hear(update, receivedAt);
    if (update.type === 'state') this.#follow(update, receivedAt);
    return belonging;
  }

  /** The agent requests some work, such as a write. */
  works(): void {
    this.#unprompted.works(this.stage.clock.now());
  }

  /** The session was attached to one of the agent's. @param isNew it begins here and has no history to replay */
  attached(isNew: boolean): void {
    this.#unprompted.attached(isNew, this.#workOutlivesTurn);
  }

  /** The agent's process has ended: a turn that waits for the end of its work fails. */
  detach(): void {
    this.#unprompted.detached();
    this.#foreground.reset();
  }

  override dispose(): void {
    this.#forceStopTimer?.dispose();
    super.dispose();
  }

  get #current(): Thread['turn'] {
    return this.stage.thread().turn;
  }

  get #workOutlivesTurn(): boolean {
    return this.stage.attachment()?.link.workOutlivesTurn === true;
  }

  #start(prompt: readonly DecodedBlock[], at = this.stage.clock.now()): string {
    const turnId = this.stage.newId('t');
    this.stage.dispatch({ type: 'turn/started', at, turnId, prompt });
    return turnId;
  }

  /** @returns the blocks to send again. */
  async #send(
    turnId: string,
    blocks: readonly ContentBlock[],
    recover: (error: unknown) => Promise<readonly ContentBlock[] | undefined>,
  ): Promise<readonly ContentBlock[] | undefined> {
    const turn = this.#current;
    if (turn?.turnId !== turnId) return undefined;
    if (turn.stopping) {
      this.#finish(turnId, 'cancelled');
      return undefined;
    }
    const attachment = this.stage.attachment();
    if (!attachment) throw new NotSent();
    this.#unprompted.prompted();
    this.silence.start();
    this.#atAgent = true;
    try {
      this.#settle(turnId, await this.#endOf(attachment, turnId, blocks));
      return undefined;
    } catch (error) {
      this.#atAgent = false;
      this.silence.stop();
      const again = this.#current?.stopping ? undefined : await recover(error);
      if (!again) throw error;
      return again;
    }
  }

  /** Sends a prompt. @returns the end of its turn: the answer in v1, an idle state of the session in v2. */
  async #endOf({ link, sessionId }: Attachment, turnId: string, blocks: readonly ContentBlock[]): Promise<TurnEnd> {
    const { stage } = this;
    const entryId = entryIdAt(this.#current!.firstIndex);
    this.#foreground.begin();
    this.#sendEmitter.fire({ at: stage.clock.now() });
    try {
      const answer = await link.prompt(sessionId, [...blocks]);
      if ('stopReason' in answer) return answer;
      if (answer.messageId !== undefined)
        stage.dispatch({ type: 'message/identified', at: stage.clock.now(), entryId, messageId: answer.messageId });
    } catch (error) {
      // The prompt was refused, but the agent works: the turn continues until that ends.
      if (!this.#foreground.isBusy || this.#current?.turnId !== turnId) throw error;
      if (!this.#current.stopping) stage.notify(describeError(error, stage.clock.now()));
      return this.#idleEnd().catch((end: unknown) => Promise.reject(new AlreadyTold(end)));
    }
    return this.#idleEnd();
  }

  /** @throws AcpError the failure that ended the work, or ConnectionEnded. */
  async #idleEnd(): Promise<TurnEnd> {
    const { stopReason, error, usage, receivedAt } = await this.#foreground.whenIdle();
    if (error) throw new AcpError(error.code, error.message, error.data);
    return {
      stopReason: stopReason ?? (this.#current?.stopping ? 'cancelled' : 'end_turn'),
      receivedAt,
      ...(usage ? { usage } : {}),
    };
  }

  #follow(state: SessionState, receivedAt: number): void {
    this.#foreground.hear({ ...state, receivedAt });
    this.#followAgent(receivedAt);
  }

  /** Work of the agent without a prompt gets a turn without a prompt, which can be stopped like any other. */
  #followAgent(at = this.stage.clock.now()): void {
    if (!this.#foreground.isBusy || this.#current) return;
    const turnId = this.#start([], at);
    this.silence.start();
    this.#atAgent = true;
    this.#foreground.begin();
    void this.#idleEnd()
      .then(
        (end) => this.#settle(turnId, end),
        (error: unknown) => this.#fail(turnId, error),
      )
      .then(() => this.#followAgent());
  }

  #settle(turnId: string, { stopReason, usage, receivedAt }: TurnEnd): void {
    if (this.#current?.turnId !== turnId) return;
    if (usage) this.stage.dispatch({ type: 'usage/updated', at: this.stage.clock.now(), turn: usage });
    this.#finish(turnId, stopReason, receivedAt);
  }

  #finish(turnId: string, stopReason: string, at = this.stage.clock.now()): void {
    if (this.#current?.turnId !== turnId) return;
    this.#end(turnId, stopReason, at);
    const notice = describeStopReason(stopReason);
    if (notice) this.stage.notify(notice);
    this.#endEmitter.fire({ stopReason, at });
  }

  #fail(turnId: string, error: unknown): void {
    const { stage } = this;
    const turn = this.#current;
    if (turn?.turnId !== turnId) return;
    // An error in answer to our cancel is the cancellation (item 174).
    if (turn.stopping) return this.#finish(turnId, 'cancelled');
    const at = stage.clock.now();
    const wasUnprompted = isUnprompted(stage.thread());
    this.#end(turnId, 'failed', at);
    // If the process ended, its owner reports that with the reason.
    if (error instanceof AlreadyTold) this.log.debug(error.message);
    else if (error instanceof NotSent)
      stage.notify({ severity: 'info', title: l10n.t('Message not sent'), actions: ['retry'] });
    else if (error instanceof ConnectionEnded) this.#broken = wasUnprompted ? undefined : turnId;
    else stage.notify(describeError(error, stage.clock.now()));
    this.#endEmitter.fire({ stopReason: 'failed', at });
  }

  #end(turnId: string, stopReason: string, at: number): void {
    const { stage } = this;
    this.#forceStopTimer?.dispose();
    this.silence.stop();
    this.#atAgent = false;
    this.#unresponsive = false;
    this.#unprompted.turnEnded(at);
    // Elicitations may outlive the turn: an agent that asks outside its work withdraws them itself.
    const callsGoOn = this.#workOutlivesTurn;
    if (!callsGoOn) stage.withdraw('permissions');
    stage.dispatch({ type: 'turn/ended', at, turnId, stopReason, ...(callsGoOn ? { callsGoOn } : {}) });
  }
}
