import { Disposable, type IDisposable } from '../../../base/lifecycle';
import type { Clock } from '../../../base/scheduler';

/** The accuracy of message times while the extension host is idle. Milliseconds. */
const BEAT_MS = 50;
const MAX_BEATS = 400;

/**
 * Measures how long a message may have waited in its pipe before it was read: a busy extension host, or a busy machine,
 * reads late. It runs only during a turn.
 */
export class Pulse extends Disposable {
  readonly #beats: number[] = [];
  #timer: IDisposable | undefined;

  constructor(private readonly clock: Clock) {
    super();
  }

  start(): void {
    if (!this.#timer) this.#beat();
  }

  stop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  /**
   * The earliest time at which a message that was read at `at` can have been sent, epoch ms. Undefined before the first
   * beats.
   */
  before(at: number): number | undefined {
    // The host may have been blocked between the last two beats before it.
    const last = this.#beats.findLastIndex((beat) => beat <= at);
    return this.#beats[last - 1];
  }

  override dispose(): void {
    this.stop();
    super.dispose();
  }

  #beat(): void {
    this.#beats.push(this.clock.now());
    if (this.#beats.length > MAX_BEATS) this.#beats.splice(0, MAX_BEATS / 2);
    this.#timer = this.clock.setTimeout(() => this.#beat(), BEAT_MS);
  }
}
