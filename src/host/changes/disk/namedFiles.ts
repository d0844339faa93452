import { type Clock, Coalescer } from '../../../base/scheduler';
import type { IDisposable } from '../../../base/lifecycle';
import type { TurnRoot } from './turnRoot';

/** This many names in one interval are read at once. An agent that names more does not write them all in that time. */
const AT_ONCE = 4;
const INTERVAL_MS = 8;

/**
 * Queues files that an agent names until their content is read. A flood of names is read together, because each single
 * read wakes a thread, which costs more than the read.
 */
export class NamedFiles implements IDisposable {
  readonly #waiting = new Map<Pick<TurnRoot, 'remember'>, string[]>();
  #count = 0;
  readonly #coalescer: Coalescer;

  constructor(clock: Clock) {
    this.#coalescer = new Coalescer(clock, INTERVAL_MS, () => this.#look());
  }

  /** @param path in the folder's spelling */
  add(root: Pick<TurnRoot, 'remember'>, path: string): void {
    this.#coalescer.schedule();
    if (this.#count++ < AT_ONCE) return void root.remember([path]);
    const paths = this.#waiting.get(root);
    if (paths) paths.push(path);
    else this.#waiting.set(root, [path]);
  }

  /** Reads the queued files now. */
  flush(): void {
    this.#coalescer.flushNow();
  }

  dispose(): void {
    this.#coalescer.dispose();
  }

  #look(): void {
    this.#count = 0;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [root, paths] of waiting) void root.remember(paths);
  }
}
