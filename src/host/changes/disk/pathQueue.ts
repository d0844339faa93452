import { type Clock, Coalescer } from '../../../base/scheduler';
import type { IDisposable } from '../../../base/lifecycle';

/** Events of a write come one by one; they are looked at together. */
const SETTLE_MS = 120;
/** What waits to be looked at; what is beyond is found by git at the end of the turn. */
const MAX_WAITING = 20_000;
const BATCH = 200;

/**
 * Paths to look at, each once however often it is told, in batches that never overlap: so an older look at a file can
 * never be judged after a newer one.
 */
export class PathQueue implements IDisposable {
  /** By when it was told first, epoch ms. */
  readonly #waiting = new Map<string, number>();
  readonly #timer: Coalescer;
  #last: Promise<void> = Promise.resolve();
  #disposed = false;

  /** @param examine looks at some paths; must not fail. */
  constructor(
    private readonly clock: Clock,
    private readonly examine: (paths: ReadonlyMap<string, number>) => Promise<void>,
  ) {
    this.#timer = new Coalescer(clock, SETTLE_MS, () => void this.drain());
  }

  add(path: string): void {
    if (this.#disposed || this.#waiting.size >= MAX_WAITING) return;
    // When something was told first is nearest to when it happened.
    if (!this.#waiting.has(path)) this.#waiting.set(path, this.clock.now());
    this.#timer.schedule();
  }

  /** Looks at these paths before all that waits. */
  now(paths: readonly string[]): Promise<void> {
    return (this.#last = this.#last.then(() => this.#take(paths)));
  }

  /** Looks at everything that waits, and at what comes meanwhile. */
  async drain(): Promise<void> {
    this.#timer.cancel();
    do {
      await (this.#last = this.#last.then(() => this.#take([...this.#waiting.keys()].slice(0, BATCH))));
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#waiting.size > 0);
  }

  dispose(): void {
    this.#disposed = true;
    this.#waiting.clear();
    this.#timer.dispose();
  }

  async #take(paths: readonly string[]): Promise<void> {
    const taken = new Map(paths.map((path) => [path, this.#waiting.get(path) ?? this.clock.now()]));
    for (const path of paths) this.#waiting.delete(path);
    if (!this.#disposed && taken.size > 0) await this.examine(taken);
  }
}
