import type { IDisposable } from './lifecycle';

/** Time as a parameter, so that tests move it by hand. Milliseconds; `now` is epoch time. */
export interface Clock {
  now(): number;
  setTimeout(callback: () => void, delayMs: number): IDisposable;
}

/**
 * Waits for a promise for at most `delayMs`. Leaves no timer behind.
 * @returns whether the work ended in time. @throws the work's error if it fails in time.
 */
export async function waitAtMost(clock: Clock, delayMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: IDisposable | undefined;
  const late = new Promise<false>((resolve) => (timer = clock.setTimeout(() => resolve(false), delayMs)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    timer?.dispose();
  }
}

/** Runs `flush` once for all calls of `schedule` within an interval, which begins with the first of them. */
export class Coalescer implements IDisposable {
  #timer: IDisposable | undefined;
  #disposed = false;

  constructor(
    private readonly clock: Clock,
    private readonly intervalMs: number,
    private readonly flush: () => void,
  ) {}

  /** @param delayMs the interval this time; ignored if a flush is already scheduled */
  schedule(delayMs = this.intervalMs): void {
    if (this.#timer || this.#disposed) return;
    this.#timer = this.clock.setTimeout(() => {
      this.#timer = undefined;
      this.flush();
    }, delayMs);
  }

  /** True if a flush is scheduled. */
  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  /** Runs the scheduled flush now. */
  flushNow(): void {
    if (!this.#timer) return;
    this.cancel();
    this.flush();
  }

  cancel(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  dispose(): void {
    this.#disposed = true;
    this.cancel();
  }
}
