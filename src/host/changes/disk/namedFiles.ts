import { type Clock, Coalescer } from '../../../base/scheduler';
import type { IDisposable } from '../../../base/lifecycle';
import type { TurnRoot } from './turnRoot';

/**
 * So many names in one interval are looked at as they come. An agent that names more does not write them all meanwhile.
 */
const AT_ONCE = 4;
const INTERVAL_MS = 8;

/**
 * Files that an agent names, on their way to the look at what they hold. In a flood of names they are looked at
 * together, because each look on its own wakes a thread, which costs more than the look.
 */
export class NamedFiles implements IDisposable {
  readonly #waiting = new Map<Pick<TurnRoot, 'remember'>, string[]>();
  #count = 0;
  readonly #coalescer: Coalescer;

  constructor(clock: Clock) {
    this.#coalescer = new Coalescer(clock, INTERVAL_MS, () => this.#look());
  }

  /** @param path as the folder spells it */
  add(root: Pick<TurnRoot, 'remember'>, path: string): void {
    this.#coalescer.schedule();
    if (this.#count++ < AT_ONCE) return void root.remember([path]);
    const paths = this.#waiting.get(root);
    if (paths) paths.push(path);
    else this.#waiting.set(root, [path]);
  }

  /** What waits is looked at now. */
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
