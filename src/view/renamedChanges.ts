import type { ChangeView } from '../protocol/changeView';

/**
 * Makes one row of a file that is gone and one that came in its place.
 * @param movedFrom where a file was before; undefined where it was not moved.
 */
export function joinRenames(changes: readonly ChangeView[], movedFrom: (path: string) => string | undefined): ChangeView[] {
  const gone = new Map(changes.filter(({ kind }) => kind === 'deleted').map((change) => [change.path, change]));
  const joined = new Set<string>();
  const rows = changes.map((change): ChangeView => {
    const from = change.kind === 'created' ? movedFrom(change.path) : undefined;
    const old = from === undefined ? undefined : gone.get(from);
    if (from === undefined || !old || joined.has(from)) return change;
    joined.add(from);
    // What was the same before and after is no line that was added or removed.
    const added = Math.max(0, change.added - old.removed);
    const removed = Math.max(0, old.removed - change.added);
    return { ...change, kind: 'renamed', from: old.label, added, removed };
  });
  return rows.filter((change) => !(change.kind === 'deleted' && joined.has(change.path)));
}
