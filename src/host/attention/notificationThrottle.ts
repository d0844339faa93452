import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';

/** An event that the user may have to be notified of. */
export interface News {
  /** Events with one key are shown once, until they are over. */
  readonly key: string;
  /** True if it is still worth showing: not answered, not withdrawn, not seen meanwhile. */
  readonly holds: () => boolean;
  readonly tell: () => void;
}

/**
 * How long an event must last before it is shown: a request that a rule answers, or that the agent withdraws at once,
 * is not.
 */
export const settleMs = 500;

/** Decides when notifications are shown: after a moment, if they still apply, and never twice. */
export class NotificationThrottle extends Disposable {
  readonly #told = new Set<string>();
  readonly #pending = new Map<string, IDisposable>();

  constructor(private readonly clock: Clock) {
    super();
  }

  offer(news: News): void {
    if (this.#told.has(news.key) || this.#pending.has(news.key)) return;
    this.#pending.set(
      news.key,
      this.clock.setTimeout(() => {
        this.#pending.delete(news.key);
        if (!news.holds()) return;
        this.#told.add(news.key);
        news.tell();
      }, settleMs),
    );
  }

  /** The event is over: the next one with this key is new. */
  over(key: string): void {
    this.#told.delete(key);
  }

  override dispose(): void {
    for (const timer of this.#pending.values()) timer.dispose();
    super.dispose();
  }
}
