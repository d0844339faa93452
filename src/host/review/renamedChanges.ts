import { joinMoves } from '../../changes/movedFiles';
import type { ChangeView } from '../../protocol/changeView';

/** Makes one row of a file that is gone and one that came in its place; see `joinMoves`. */
export function joinRenames(changes: readonly ChangeView[], movedFrom: (path: string) => string | undefined): readonly ChangeView[] {
  return joinMoves(changes, movedFrom, (change, old, lines) => ({ ...change, ...lines, kind: 'renamed', from: old.label }));
}
