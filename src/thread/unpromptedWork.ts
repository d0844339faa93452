import type { ToolCallFields, Update } from '../acp/decodeUpdate';
import { Disposable, MutableDisposable } from '../base/lifecycle';
import type { Clock } from '../base/scheduler';
import { agentTerminalEvents } from './agentTerminals';
import { isOpen, isOpenStatus, type Thread, type ToolCall } from './thread';

/** Text and results this soon after an answer still belong to it. Milliseconds, as all times here. */
export const restMs = 250;
/** A stopped command may still send output while it ends. */
const dyingMs = 3_000;
/** A message that continues after its turn belongs to the answer until a pause of this length. */
const sameMessageMs = 1_000;
/** Work without a prompt has ended after this time without messages. */
export const quietMs = 5_000;
/**
 * The same while a call is open: a command may be silent until it ends. Work with a forgotten open call ends after this
 * time.
 */
export const openCallMs = 120_000;
/** The same after Stop. */
export const stoppedMs = 1_000;
/** A resumed session replays its history until a pause of this length; some agents answer first. */
export const replayMs = 2_000;

/**
 * The part of the conversation that the agent's words belong to. `history`: a replay. `rest`: the answer whose turn has
 * ended.
 */
export type Belonging = 'history' | 'rest' | undefined;

/** The session of the agent. */
export interface UnpromptedStage {
  readonly clock: Clock;
  thread(): Thread;
  /** The agent begins or ends work without a prompt. @param at since when, epoch ms */
  tell(works: boolean, at: number): void;
  /** The replay has ended: its open calls are over. */
  historyEnded(): void;
}

/**
 * Detects work without a prompt. A v1 agent reports only by its answer to a prompt when it stops working, and some
 * continue. This infers from messages while no prompt runs whether they work, as v2 agents report it: calls, text and
 * requests are work; titles, usage, options, plans and notices are not.
 */
export class UnpromptedWork extends Disposable {
  readonly #timer = this.register(new MutableDisposable());
  #state: 'detached' | 'replaying' | 'resting' | 'working' = 'detached';
  /** The agent reports its own state (v2). */
  #tellsItself = false;
  /**
   * A prompt was sent since the session was attached, or the session is new: text in the user's role is not history.
   */
  #isLive = false;
  /** A prompt was sent since the session was attached. */
  #wasPrompted = false;
  #heardAt = 0;
  #turnEndedAt = -Infinity;
  #lastText: { readonly messageId: string | undefined; readonly at: number } | undefined;

  constructor(private readonly stage: UnpromptedStage) {
    super();
  }

  /**
   * @param isNew the session begins here and has no history to replay.
   * @param tellsItself the agent reports its own state
   */
  attached(isNew: boolean, tellsItself: boolean): void {
    this.#tellsItself = tellsItself;
    this.#wasPrompted = false;
    this.#isLive = isNew;
    this.#turnEndedAt = -Infinity;
    if (isNew) this.#rest();
    else this.#replay();
  }

  /**
   * Milliseconds of silence after which the history of the session counts as complete; 0 if it already is. If some of
   * it came with the agent's answer, that is most likely all of it, and the wait is short.
   */
  historyLeft(): number {
    if (this.#state !== 'replaying') return 0;
    const patience = this.stage.thread().entries.length > 0 ? restMs : replayMs;
    return Math.max(0, this.#heardAt + patience - this.stage.clock.now());
  }

  detached(): void {
    this.#timer.value = undefined;
    this.#state = 'detached';
  }

  /** A prompt is about to begin its turn: the agent's work without a prompt ends here. */
  prompted(): void {
    if (this.#state === 'replaying') this.#endReplay();
    if (this.#state === 'working') this.#end();
    this.#wasPrompted ||= this.#state !== 'detached';
    this.#isLive ||= this.#wasPrompted;
  }

  /** @param at when the bytes that report it were read, epoch ms */
  turnEnded(at: number): void {
    this.#turnEndedAt = at;
  }

  /** The user pressed Stop: no answer to a prompt will report that the agent has stopped. */
  stopRequested(): void {
    if (this.#state !== 'working') return;
    this.#heardAt = this.stage.clock.now();
    this.#look();
  }

  /**
   * Takes note of an update before it is applied.
   * @param at when its bytes were read, epoch ms
   * @returns what its words belong to
   */
  hear(update: Update, at: number): Belonging {
    if (this.#isHistory(update)) return 'history';
    const belonging = this.#isRest(update, at) ? 'rest' : undefined;
    if (update.type === 'chunk') this.#lastText = { messageId: update.messageId, at };
    if (
      this.#state === 'working'
        ? isSign(update)
        : !this.stage.thread().turn && belonging === undefined && this.#begins(update)
    )
      this.works(at);
    return belonging;
  }

  /** The agent works, or requests some work. @param at since when, epoch ms */
  works(at: number): void {
    if (this.#tellsItself || this.#state === 'detached' || this.#state === 'replaying') return;
    this.#heardAt = this.stage.clock.now();
    if (this.#state === 'working' || this.stage.thread().turn) return;
    this.#state = 'working';
    this.#wait(quietMs);
    this.stage.tell(true, at);
  }

  #isHistory(update: Update): boolean {
    if (this.#state === 'detached') return true;
    // Only the user's messages are known in a resumed session, so a prompt in it is history.
    if (
      'role' in update &&
      update.role === 'user' &&
      !this.#isLive &&
      this.#state === 'resting' &&
      !this.stage.thread().turn
    )
      this.#replay();
    if (this.#state !== 'replaying') return false;
    this.#heardAt = this.stage.clock.now();
    return true;
  }

  /** True if an update only completes the answer of the ended turn. */
  #isRest(update: Update, now: number): boolean {
    if (this.#state !== 'resting' || this.stage.thread().turn) return false;
    const sinceEnd = now - this.#turnEndedAt;
    const isSoon = sinceEnd <= restMs;
    if (update.type === 'toolCall') {
      const thread = this.stage.thread();
      return (
        (isSoon || (sinceEnd <= dyingMs && callOf(thread, update.fields)?.localEnd === 'cancelled')) &&
        !opens(thread, update.fields)
      );
    }
    if (update.type !== 'chunk' || update.role === 'user') return false;
    const { messageId, at } = this.#lastText ?? { messageId: undefined, at: -Infinity };
    return isSoon || (messageId !== undefined && messageId === update.messageId && now - at <= sameMessageMs);
  }

  #begins(update: Update): boolean {
    if (update.type === 'toolCall')
      return (
        opens(this.stage.thread(), update.fields) || isNews(callOf(this.stage.thread(), update.fields), update.fields)
      );
    // Some agents greet the user, which is not work.
    return isSign(update) && this.#wasPrompted;
  }

  #replay(): void {
    this.#state = 'replaying';
    this.#heardAt = this.stage.clock.now();
    this.#wait(replayMs);
  }

  #endReplay(): void {
    this.#rest();
    // A v2 agent itself reports which calls continue.
    if (!this.#tellsItself) this.stage.historyEnded();
  }

  #end(): void {
    this.#rest();
    this.stage.tell(false, this.stage.clock.now());
  }

  #rest(): void {
    this.#timer.value = undefined;
    this.#state = 'resting';
  }

  #wait(ms: number): void {
    this.#timer.value = this.stage.clock.setTimeout(() => this.#look(), ms);
  }

  /** True if it has been quiet for long enough. */
  #look(): void {
    const { clock } = this.stage;
    const { turn, open, waiting } = this.stage.thread();
    // The agent waits for the user.
    if (waiting.length > 0) this.#heardAt = clock.now();
    const patience =
      this.#state === 'replaying' ? replayMs : turn?.stopping ? stoppedMs : open.length > 0 ? openCallMs : quietMs;
    const left = this.#heardAt + patience - clock.now();
    if (left > 0) this.#wait(Math.min(left, quietMs));
    else if (this.#state === 'replaying') this.#endReplay();
    else this.#end();
  }
}

/** True if an update is a sign of work. */
function isSign(update: Update): boolean {
  if (update.type === 'chunk') return update.content.type !== 'text' || update.content.text.trim() !== '';
  return update.type === 'toolCall';
}

function callOf(thread: Thread, { toolCallId }: ToolCallFields): ToolCall | undefined {
  const index = thread.toolCalls.get(toolCallId);
  const call = index === undefined ? undefined : thread.entries.at(index);
  return call?.kind === 'toolCall' ? call : undefined;
}

/** True if a call begins, or continues after its end. */
function opens(thread: Thread, fields: ToolCallFields): boolean {
  const call = callOf(thread, fields);
  if (fields.status === undefined) return call === undefined;
  return isOpenStatus(fields.status) && (call === undefined || !isOpen(call)) && call?.localEnd !== 'cancelled';
}

/**
 * True if an update reports an effect of a call, rather than only its name, or what its command says in the background.
 */
function isNews(call: ToolCall | undefined, { status, content, rawOutput, meta }: ToolCallFields): boolean {
  return (
    !call ||
    (status !== undefined && status !== call.status) ||
    content !== undefined ||
    rawOutput !== undefined ||
    (agentTerminalEvents(meta).length > 0 && !(call.isBackground && !isOpen(call)))
  );
}
