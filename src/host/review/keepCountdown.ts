import { Emitter } from '../../base/event';
import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import type { KeepCountdownView } from '../../protocol/changeView';

/**
 * Counts down until changes are kept. It starts again for a change that it has not seen and for another delay, and pauses
 * while someone holds it. Changes for which the user stopped it do not start it again.
 */
export class KeepCountdown extends Disposable {
  private readonly changeEmitter = this.register(new Emitter<void>());
  private counted: ReadonlySet<string> = new Set();
  private readonly stopped = new Set<string>();
  private readonly holds = new Set<string>();
  private delay = 0;
  private remaining = 0;
  private startedAt = 0;
  private timer: IDisposable | undefined;

  readonly onDidChange = this.changeEmitter.event;

  /** @param ended the time is up for these changes */
  constructor(
    private readonly clock: Clock,
    private readonly ended: (ids: readonly string[]) => void,
  ) {
    super();
  }

  /** What the panel shows; undefined while there is nothing to count for. */
  get view(): KeepCountdownView | undefined {
    if (this.counted.size === 0) return undefined;
    return this.timer ? { endsAt: this.startedAt + this.remaining } : { remainingMs: this.remaining };
  }

  /** @param ids changes that may be kept when the time is up, by names that last */
  count(ids: readonly string[], delayMs: number): void {
    const open = ids.filter((id) => !this.stopped.has(id));
    const isFresh = open.some((id) => !this.counted.has(id)) || (open.length > 0 && delayMs !== this.delay);
    const before = this.counted.size;
    this.counted = new Set(open);
    if (isFresh || open.length === 0) {
      this.rest();
      this.remaining = this.delay = delayMs;
    }
    this.run();
    if (isFresh || (before > 0) !== (open.length > 0)) this.changeEmitter.fire();
  }

  /** Stands still as long as anyone holds it: the bar is hovered or has the focus, or cannot be seen. */
  hold(who: 'person' | 'hidden', isHeld: boolean): void {
    if (this.holds.has(who) === isHeld) return;
    if (isHeld) this.holds.add(who);
    else this.holds.delete(who);
    this.rest();
    this.run();
    if (this.counted.size > 0) this.changeEmitter.fire();
  }

  /** The user wants to decide on all of these. */
  stop(): void {
    for (const id of this.counted) this.stopped.add(id);
    this.count([], 0);
  }

  override dispose(): void {
    this.rest();
    super.dispose();
  }

  private run(): void {
    if (this.timer || this.holds.size > 0 || this.counted.size === 0) return;
    this.startedAt = this.clock.now();
    this.timer = this.clock.setTimeout(() => {
      const ids = [...this.counted];
      this.count([], 0);
      this.ended(ids);
    }, this.remaining);
  }

  private rest(): void {
    if (!this.timer) return;
    this.timer.dispose();
    this.timer = undefined;
    this.remaining = Math.max(0, this.remaining - (this.clock.now() - this.startedAt));
  }
}
