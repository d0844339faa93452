import type { Clock } from '../../src/base/scheduler';
import { toDisposable } from '../../src/base/lifecycle';

/** Time that moves only when a test says so. Starts at 1,000 ms, so that 0 is never mistaken for "no time". */
export class FakeClock implements Clock {
  private time = 1_000;
  private timers: { at: number; callback: () => void }[] = [];

  now(): number {
    return this.time;
  }

  /** How many timers run. */
  get running(): number {
    return this.timers.length;
  }

  setTimeout(callback: () => void, delayMs: number) {
    const timer = { at: this.time + delayMs, callback };
    this.timers.push(timer);
    return toDisposable(() => {
      this.timers = this.timers.filter((other) => other !== timer);
    });
  }

  /** Moves time and runs what is due, in order. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const due = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.timers = this.timers.filter((timer) => timer !== due);
      this.time = Math.max(this.time, due.at);
      due.callback();
    }
    this.time = end;
  }
}
