import type { Update } from '../../acp/decodeUpdate';
import type { IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import type { Session } from '../../thread/session';
import { ToldHistory } from '../../thread/toldHistory';

/**
 * Silence after which a replay is taken for ended, and how long it may go on at most before a prompt is sent.
 * Milliseconds.
 */
const quietMs = 250;
const longestMs = 5_000;
/** What may be the beginning of something that was told is held back for so long. */
const heldMs = 2_000;

/** What tells of the conversation, rather than of the session as it is now. */
const history: ReadonlySet<Update['type']> = new Set([
  'chunk',
  'message',
  'messageChunk',
  'toolCall',
  'toolContent',
  'terminal',
  'terminalBytes',
  'plan',
  'notice',
  'compaction',
  'compactionChunk',
]);

export interface ReplayGateOptions {
  /** The session with the conversation that is on screen. */
  readonly session: Session;
  readonly clock: Clock;
  /** Applies what was held back and is news after all. */
  readonly admit: (update: Update, receivedAt: number) => void;
}

/**
 * Holds back what an agent replays of a conversation that is on screen already, until the end of the turn after it.
 * What describes the session as it is now passes, and so does what was not said before (`ToldHistory`): replays come
 * before the answer to `session/load` or `session/resume`, or after it, or beside the next prompt.
 */
export class ReplayGate {
  /** Absent once it is open for good. */
  #told: ToldHistory | undefined;
  readonly #listeners: readonly IDisposable[];
  /** The answer to a load is on its way or just came: all that comes is its replay. */
  #takesAll = false;
  #prompt: string | undefined;
  #count = 0;
  #held: { readonly update: Update; readonly receivedAt: number }[] = [];
  #timer: IDisposable | undefined;

  constructor(private readonly options: ReplayGateOptions) {
    const { session } = options;
    this.#told = new ToldHistory(session.thread);
    this.#listeners = [
      session.onDidSendPrompt(() => (this.#prompt = session.thread.turn?.promptText ?? '')),
      session.onDidEndTurn(() => this.open()),
    ];
  }

  /** How many updates were held back. */
  get count(): number {
    return this.#count;
  }

  /** From now on until `admitNews` whatever tells of the conversation is dropped. */
  holdAll(): void {
    this.#takesAll = true;
  }

  admitNews(): void {
    this.#takesAll = false;
  }

  /** @returns false for an update that must not be applied, at least not now. */
  admits(update: Update, receivedAt: number): boolean {
    const told = this.#told;
    if (!told || !history.has(update.type)) return true;
    const retold = told.take(update, this.#prompt);
    if (this.#takesAll || retold === 'told') return this.#drop();
    if (retold === 'part') return this.#hold(update, receivedAt, told.isDoubtful);
    // The answer to the same prompt would have ended the turn.
    if (told.isDoubtful && told.isOver) this.#drop();
    if (told.isOver) this.open();
    else this.#release();
    return true;
  }

  /** What was held back is of an opening that came to nothing. */
  discard(): void {
    this.#held = [];
    this.open();
  }

  /** Admits everything, also what was held back. */
  open(): void {
    this.#told = undefined;
    for (const listener of this.#listeners) listener.dispose();
    this.#release();
  }

  /** Waits for the end of the replay: some agents answer `session/load` first and replay then (item 60). */
  async whenQuiet(): Promise<void> {
    const { clock } = this.options;
    const start = clock.now();
    for (;;) {
      const before = this.#count;
      await new Promise<void>((resolve) => clock.setTimeout(resolve, quietMs));
      if (this.#count === before || clock.now() - start > longestMs) return;
    }
  }

  #drop(): false {
    this.#count += 1 + this.#held.length;
    this.#held = [];
    this.#timer?.dispose();
    return false;
  }

  #hold(update: Update, receivedAt: number, isDoubtful: boolean): false {
    this.#held.push({ update, receivedAt });
    this.#timer?.dispose();
    if (!isDoubtful) this.#timer = this.options.clock.setTimeout(() => this.#release(), heldMs);
    return false;
  }

  #release(): void {
    this.#timer?.dispose();
    for (const { update, receivedAt } of this.#held.splice(0)) this.options.admit(update, receivedAt);
  }
}
