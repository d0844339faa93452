import type { Change } from './hunk';
import type { SessionChanges } from './scope';

/** A change of a file that was moved: it stands for the one where the file was, too. */
export interface MovedChange extends Change {
  readonly from: string;
}

/** What is joined: changes, or the rows of a list. */
interface Movable {
  readonly path: string;
  readonly kind: string;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
}

/**
 * Makes one change of a file that is gone and one that came in its place. It counts what differs between the two.
 * @param movedFrom where a file was before; undefined where it was not moved.
 * @param joined gets the change where the file is, the change where it was, and the lines of both together.
 */
export function joinMoves<T extends Movable>(changes: readonly T[], movedFrom: (path: string) => string | undefined, joined: (change: T, old: T, lines: Pick<T, 'added' | 'removed'>) => T): readonly T[] {
  const left = new Map(changes.filter(({ kind }) => kind === 'deleted').map((change) => [change.path, change]));
  const gone = new Set<string>();
  const rows = changes.map((change): T => {
    const from = change.kind === 'created' ? movedFrom(change.path) : undefined;
    const old = from === undefined ? undefined : left.get(from);
    if (!old || gone.has(old.path)) return change;
    gone.add(old.path);
    return joined(change, old, { added: Math.max(0, change.added - old.removed), removed: Math.max(0, old.removed - change.added) });
  });
  return gone.size === 0 ? changes : rows.filter(({ path }) => !gone.has(path));
}

/** The same in each session. A change that was joined has no hunks, because moving a file changes none of its lines. */
export function withMoves(sessions: readonly SessionChanges[], movedFrom: (path: string) => string | undefined): readonly SessionChanges[] {
  return sessions.map(({ sessionId, changes }) => ({
    sessionId,
    changes: joinMoves<Change | MovedChange>(changes, movedFrom, (change, old, lines) => ({ ...change, ...lines, from: old.path, hunks: [] })),
  }));
}

/** Where a file of a change was before it was moved. */
export function originOf(change: Change): string | undefined {
  return 'from' in change ? (change as MovedChange).from : undefined;
}
