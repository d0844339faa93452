import { Disposable, type IDisposable } from '../base/lifecycle';
import type { Clock } from '../base/scheduler';

/** After this time without a response in a turn, the user is told: the agent may be retrying silently. */
export const silenceAfterMs = 30_000;

/** Detects that an agent has sent nothing for a while. Each message costs almost nothing. */
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

  /** The time of the last message, in epoch milliseconds; `undefined` while that is recent, and outside a turn. */
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
