import type { Clock } from '../../base/scheduler';
import { toDisposable } from '../../base/lifecycle';

/** Real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
};
