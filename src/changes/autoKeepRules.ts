import type { Change } from './hunk';
import type { Place } from './places';
import type { SessionChanges } from './scope';

/** When changes are kept without a click: the values of `parley.review.autoKeep`. */
export type AutoKeepMode = 'never' | 'onCommit' | 'onNextPrompt';

/** Reads the mode from a setting. Any unknown value means `never`. */
export function asAutoKeepMode(value: unknown): AutoKeepMode {
  return value === 'onCommit' || value === 'onNextPrompt' ? value : 'never';
}

/** One hunk, or one file that is a change as a whole, that may be kept without a click. */
export interface KeepCandidate extends Place {
  readonly turn: string | undefined;
  /** The file's change at this moment. Files are kept one by one, and a turn may already write again meanwhile. */
  readonly asOf: Change;
}

/**
 * Changes that may be kept without a click. Protected files, conflicts and changes without a comparison are left out.
 */
export function keepCandidates(
  sessions: readonly SessionChanges[],
  isGuarded: (path: string) => boolean,
): KeepCandidate[] {
  return sessions.flatMap(({ sessionId, changes }) =>
    changes.flatMap((change): KeepCandidate[] => {
      const { path, hunks, turn, note } = change;
      if (note !== undefined || isGuarded(path)) return [];
      if (hunks.length === 0) return [{ sessionId, path, turn, hunk: undefined, asOf: change }];
      return hunks
        .filter(({ state }) => state === 'pending')
        .map((hunk) => ({
          sessionId,
          path,
          turn: hunk.turns.at(-1),
          hunk,
          asOf: change,
        }));
    }),
  );
}
