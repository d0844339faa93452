import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks until the answer is neither undefined, null nor false, and resolves to it; rejects at the deadline, naming what
 * was awaited; a function says at the end what was there instead.
 * @template T
 * @param {string | (() => string | Promise<string>)} what
 * @param {() => T | Promise<T>} ask
 * @param {{ timeout?: number, interval?: number }} [options]
 * @returns {Promise<NonNullable<Exclude<T, false>>>}
 */
export async function until(what, ask, { timeout = 120_000, interval = 50 } = {}) {
  const deadline = Date.now() + timeout;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) {
      return /** @type {NonNullable<Exclude<T, false>>} */ (answer);
    }
    if (Date.now() > deadline) {
      throw new Error(`Timed out after ${timeout} ms waiting for ${typeof what === 'string' ? what : await what()}.`);
    }
    await delay(interval);
  }
}
