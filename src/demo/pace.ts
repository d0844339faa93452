import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/** How fast the demo talks. `speed` multiplies every pause: 1 is natural, 0 does not wait at all. */
export interface Pace {
  /** Waits, or rejects at once when the signal fires. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** A pace whose pauses are so many times as long. */
  times(factor: number): Pace;
}

/** Reads `PARLEY_DEMO_SPEED`: a multiplier of all pauses, 0 for tests. */
export function paceFromEnvironment(env: NodeJS.ProcessEnv): Pace {
  const speed = Number(env['PARLEY_DEMO_SPEED'] ?? '1');
  return makePace(Number.isFinite(speed) && speed >= 0 ? speed : 1);
}

function makePace(speed: number): Pace {
  return {
    async pause(ms, signal) {
      // Even without a pause the event loop must turn, or a cancel could not be read.
      await (speed === 0 ? nextTurn(undefined, { signal }) : delay(speed * ms, undefined, { signal }));
    },
    times: (factor) => makePace(speed * factor),
  };
}

/** Cuts text into pieces about the size of a model's tokens; joined again they are the text. */
export function tokens(text: string): string[] {
  return text.match(/\s*[^\s]{1,8}|\s+/g) ?? [];
}
