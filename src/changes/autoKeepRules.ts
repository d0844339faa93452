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

/** The facts about a commit that tell who made it. */
export interface SeenCommit {
  /** The commit's own time, epoch ms, a whole second; undefined if it is not known. */
  readonly committedAt: number | undefined;
  readonly isMerge: boolean;
}

/** Git stores whole seconds, so a commit up to this long after a turn may have been made during the turn. */
const COMMIT_MARGIN_MS = 1_000;

/**
 * Counts the newest commits that the user made after the last turn. A time in the future cannot be trusted, and a merge
 * brings the commits of others.
 * @param commits the newest first. @param lastRan when an agent worked last, epoch ms.
 */
export function ownCommits(commits: readonly SeenCommit[], lastRan: number, now: number): number {
  const foreign = commits.findIndex(
    ({ committedAt, isMerge }) =>
      isMerge || committedAt === undefined || !(committedAt > lastRan + COMMIT_MARGIN_MS && committedAt <= now),
  );
  return foreign < 0 ? commits.length : foreign;
}
