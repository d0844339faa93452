import { Disposable, type IDisposable } from '../base/lifecycle';
import type { Clock } from '../base/scheduler';

/** How long an agent may say nothing in a turn before the user is told: it may be retrying without a word. */
export const silenceAfterMs = 30_000;

/** Notices when nothing has been heard from an agent for a while. Hearing something costs next to nothing. */
export class SilenceWatch extends Disposable {
  #lastHeard = 0;
  #isSilent = false;
  #timer: IDisposable | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onDidChange: () => void,
  ) {
    super();
  }

  /**
   * When something was heard last, in epoch milliseconds; `undefined` while that is not long ago, and outside a turn.
   */
  get since(): number | undefined {
    return this.#isSilent ? this.#lastHeard : undefined;
  }

  start(): void {
    this.stop();
    this.heard();
    this.#wait(silenceAfterMs);
  }

  heard(): void {
    this.#lastHeard = this.clock.now();
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#wait(silenceAfterMs);
    this.onDidChange();
  }

  stop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#isSilent = false;
  }

  override dispose(): void {
    this.stop();
    super.dispose();
  }

  #wait(ms: number): void {
    this.#timer = this.clock.setTimeout(() => {
      const left = this.#lastHeard + silenceAfterMs - this.clock.now();
      if (left > 0) return this.#wait(left);
      this.#isSilent = true;
      this.onDidChange();
    }, ms);
  }
}
