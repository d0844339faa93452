import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';

/** How long deleted sessions can be had back. */
export const undoMs = 15_000;

/**
 * Sessions that the user has deleted and can still have back. Nothing is lost before the time is over: a window that
 * closes earlier has deleted nothing.
 */
export class PendingDeletion extends Disposable {
  private pending: readonly string[] = [];
  private timer: IDisposable | undefined;

  /** @param carryOut deletes for good */
  constructor(
    private readonly clock: Clock,
    private readonly carryOut: (keys: readonly string[]) => void,
  ) {
    super();
  }

  get keys(): readonly string[] {
    return this.pending;
  }

  /** Sessions that are deleted one after the other come back together, and their time begins anew. */
  add(keys: readonly string[]): void {
    this.pending = [...new Set([...this.pending, ...keys])];
    this.timer?.dispose();
    this.timer = this.clock.setTimeout(() => this.carryOut(this.take()), undoMs);
  }

  /** @returns the sessions, which are not deleted any more */
  take(): readonly string[] {
    const { pending } = this;
    this.pending = [];
    this.timer?.dispose();
    this.timer = undefined;
    return pending;
  }

  override dispose(): void {
    this.take();
    super.dispose();
  }
}
