import type { Change } from './hunk';
import type { Place } from './places';
import type { SessionChanges } from './scope';

/** The countdowns that the setting offers. */
const delaysMs = { after10Seconds: 10_000, after1Minute: 60_000, after10Minutes: 600_000 } as const;

/** When changes are kept without a click: the values of `parley.review.autoKeep`. */
export type AutoKeepMode = 'never' | 'onCommit' | 'onNextPrompt' | keyof typeof delaysMs;

/** How long the countdown of a mode is; undefined for a mode without one. */
export function autoKeepDelayMs(mode: AutoKeepMode): number | undefined {
  return Object.hasOwn(delaysMs, mode) ? delaysMs[mode as keyof typeof delaysMs] : undefined;
}

/** The mode that a setting names. Anything unknown means never. */
export function asAutoKeepMode(value: unknown): AutoKeepMode {
  return value === 'onCommit' ||
    value === 'onNextPrompt' ||
    (typeof value === 'string' && Object.hasOwn(delaysMs, value))
    ? (value as AutoKeepMode)
    : 'never';
}

/**
 * One hunk, or one file that is a change as a whole, that may be kept without a click. `id` lasts as long as it does.
 */
export interface KeepCandidate extends Place {
  readonly id: string;
  readonly turn: string | undefined;
  /** The file's change as it is now: the files are kept one by one, while a turn may write already. */
  readonly asOf: Change;
}

/**
 * What may be kept without a click: nothing that is guarded, that the user has to choose in, or that nobody can
 * compare.
 */
export function keepCandidates(
  sessions: readonly SessionChanges[],
  isGuarded: (path: string) => boolean,
): KeepCandidate[] {
  return sessions.flatMap(({ sessionId, changes }) =>
    changes.flatMap((change): KeepCandidate[] => {
      const { path, hunks, turn, note } = change;
      if (note !== undefined || isGuarded(path)) return [];
      if (hunks.length === 0)
        return [{ id: `${sessionId} ${path} ${change.kind}`, sessionId, path, turn, hunk: undefined, asOf: change }];
      return hunks
        .filter(({ state }) => state === 'pending')
        .map((hunk) => ({
          id: `${sessionId} ${path} ${hunk.id}`,
          sessionId,
          path,
          turn: hunk.turns.at(-1),
          hunk,
          asOf: change,
        }));
    }),
  );
}

/** A commit, as far as it matters whose it is. */
export interface SeenCommit {
  /** When it was made, as it says itself. Epoch ms, a whole second; undefined where that is not known. */
  readonly committedAt: number | undefined;
  readonly isMerge: boolean;
}

/** A commit that is not later than this after a turn may have been made in it; git tells whole seconds. */
const COMMIT_MARGIN_MS = 1_000;

/**
 * How many of the newest commits the user has made after the last turn. One that says a time to come was not made when
 * it says; a merge brings what others have made.
 * @param commits the newest first. @param lastRan when an agent worked last, epoch ms.
 */
export function ownCommits(commits: readonly SeenCommit[], lastRan: number, now: number): number {
  const foreign = commits.findIndex(
    ({ committedAt, isMerge }) =>
      isMerge || committedAt === undefined || !(committedAt > lastRan + COMMIT_MARGIN_MS && committedAt <= now),
  );
  return foreign < 0 ? commits.length : foreign;
}
