import type { CardVisibility } from './cardVisibility';

/**
 * A keystroke or click that was meant for something else must not answer a question that has just appeared under it.
 */
const INERT_MS = 400;

/**
 * Shared by all questions of the panel: after an answer, elements below move up under the pointer of a double click.
 */
export class AnswerPause {
  #until = -Infinity;

  /** A question was answered. */
  begin(): void {
    this.#until = performance.now() + INERT_MS;
  }

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }
}

/**
 * Tracks how long each question is visible. A question takes no focus by itself, and for a moment no answer. The time
 * begins when it is painted: with the next frame, or for watched cards when the beginning and each of the answers have
 * been visible. A changed request has another id, so its time begins anew.
 */
export class AnswerDelay {
  readonly #since = new Map<string, number>();
  readonly #watched = new Set<string>();

  constructor(private readonly redraw: () => void) {}

  /** True if the options of this question can be chosen already. */
  isReady(requestId: string): boolean {
    const since = this.#since.get(requestId);
    if (since === undefined) {
      // Before it is painted nobody has seen it; a hidden page paints nothing.
      if (!this.#watched.has(requestId))
        requestAnimationFrame(() =>
          requestAnimationFrame(() => this.#watched.has(requestId) || this.#begin(requestId)),
        );
      return false;
    }
    // Timers may fire a fraction early.
    return performance.now() - since >= INERT_MS - 2;
  }

  /** The question is no longer visible: when it returns, its time begins anew. */
  forget(requestId: string): void {
    this.#since.delete(requestId);
  }

  /** Watches the card of a question that may be drawn out of view. Called with each drawing. */
  watch(requestId: string, card: Element, sight: CardVisibility): void {
    if (this.#since.has(requestId)) return;
    this.#watched.add(requestId);
    sight.watch(requestId, card, () => this.#begin(requestId));
  }

  #begin(requestId: string): void {
    if (this.#since.has(requestId)) return;
    this.#watched.delete(requestId);
    this.#since.set(requestId, performance.now());
    setTimeout(() => this.redraw(), INERT_MS);
  }
}
