import type { Change, Hunk } from './hunk';

/** What the user decided of one file, told once it is done. */
export interface Decision {
  readonly sessionId: string;
  readonly path: string;
  /** `agents`: agreed to as the agent wrote it, without what the user had edited in it. */
  readonly verdict: 'kept' | 'undone' | 'agents';
  /** As it was before. */
  readonly change: Change;
  /** The hunks that were decided; none where the file as a whole was the change. */
  readonly hunks: readonly Hunk[];
}

/** What became of a change that had been told as `before`: those of its hunks that `after` does not have any more. */
export function decisionOf(sessionId: string, verdict: Decision['verdict'], before: Change | undefined, after: Change | undefined): Decision | undefined {
  if (!before) return undefined;
  const open = new Set(after?.hunks.map(({ id }) => id));
  const hunks = before.hunks.filter(({ id }) => !open.has(id));
  return hunks.length === 0 && (after || before.hunks.length > 0) ? undefined : { sessionId, path: before.path, verdict, change: before, hunks };
}
