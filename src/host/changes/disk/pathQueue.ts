import { type Clock, Coalescer } from '../../../base/scheduler';
import type { IDisposable } from '../../../base/lifecycle';

/** A write causes several events; they are handled together. */
const SETTLE_MS = 120;
/** The limit of the queue. Git finds further changes at the end of the turn. */
const MAX_WAITING = 20_000;
const BATCH = 200;

/**
 * A queue of paths to check, each once for any number of events, in batches that never overlap. So an older check of a
 * file is never evaluated after a newer one.
 */
export class PathQueue implements IDisposable {
  /** The time of the first event for each path, epoch ms. */
  readonly #waiting = new Map<string, number>();
  readonly #timer: Coalescer;
  #last: Promise<void> = Promise.resolve();
  #disposed = false;

  /** @param examine checks some paths; must not fail. */
  constructor(
    private readonly clock: Clock,
    private readonly examine: (paths: ReadonlyMap<string, number>) => Promise<void>,
  ) {
    this.#timer = new Coalescer(clock, SETTLE_MS, () => void this.drain());
  }

  add(path: string): void {
    if (this.#disposed || this.#waiting.size >= MAX_WAITING) return;
    // The first event is nearest to the change itself.
    if (!this.#waiting.has(path)) this.#waiting.set(path, this.clock.now());
    this.#timer.schedule();
  }

  /** Checks these paths before the queued ones. */
  now(paths: readonly string[]): Promise<void> {
    return (this.#last = this.#last.then(() => this.#take(paths)));
  }

  /** Checks all queued paths, including those that are added meanwhile. */
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
