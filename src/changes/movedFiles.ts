import type { Change } from './hunk';
import type { SessionChanges } from './scope';

/** A change of a file that was moved: it stands for the one where the file was, too. */
export interface MovedChange extends Change {
  readonly from: string;
}

/**
 * Makes one change of a file that is gone and one that came in its place, in each session. It has no hunks, because moving a
 * file changes none of its lines, and counts what differs between the two.
 * @param movedFrom where a file was before; undefined where it was not moved.
 */
export function withMoves(sessions: readonly SessionChanges[], movedFrom: (path: string) => string | undefined): readonly SessionChanges[] {
  return sessions.map((session) => {
    const moved = movesIn(session.changes, movedFrom);
    if (moved.size === 0) return session;
    const gone = new Set([...moved.values()].map(({ path }) => path));
    const changes = session.changes.flatMap((change): Change[] => {
      if (gone.has(change.path)) return [];
      const old = moved.get(change.path);
      if (!old) return [change];
      const joined: MovedChange = { ...change, from: old.path, hunks: [], added: Math.max(0, change.added - old.removed), removed: Math.max(0, old.removed - change.added) };
      return [joined];
    });
    return { sessionId: session.sessionId, changes };
  });
}

/** Where a file of a change was before it was moved. */
export function originOf(change: Change): string | undefined {
  return 'from' in change ? (change as MovedChange).from : undefined;
}

/** The changes where files were, by where these are now. */
function movesIn(changes: readonly Change[], movedFrom: (path: string) => string | undefined): ReadonlyMap<string, Change> {
  const gone = new Map(changes.filter(({ kind }) => kind === 'deleted').map((change) => [change.path, change]));
  const moved = new Map<string, Change>();
  for (const { kind, path } of changes) {
    const from = kind === 'created' ? movedFrom(path) : undefined;
    const old = from === undefined ? undefined : gone.get(from);
    if (!old) continue;
    gone.delete(old.path);
    moved.set(path, old);
  }
  return moved;
}
