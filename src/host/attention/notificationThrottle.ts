import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';

/** Something that happened and that the user may have to be told of. */
export interface News {
  /** What is told under one name is told once, until it is over. */
  readonly key: string;
  /** Whether it is still so and still worth telling: not answered, not withdrawn, not seen meanwhile. */
  readonly holds: () => boolean;
  readonly tell: () => void;
}

/**
 * So long a thing must last before anyone is told of it: what a rule answers or the agent takes back at once is no
 * news.
 */
export const settleMs = 500;

/** Decides when news are told: after a moment, if they still hold, and never twice. */
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

  /** It is over: when it happens again it is another thing. */
  over(key: string): void {
    this.#told.delete(key);
  }

  override dispose(): void {
    for (const timer of this.#pending.values()) timer.dispose();
    super.dispose();
  }
}
