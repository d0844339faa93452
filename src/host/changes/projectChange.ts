import type { ChangeView } from '../../protocol/changeView';
import type { Change } from '../../changes/hunk';

/** A change of one file as a row of a list. @param guarded it needs its own decision */
export function changeView({ path, kind, added, removed, hunks, note, cannotUndo }: Change, label: string, guarded: boolean): ChangeView {
  const conflicts = hunks.filter(({ state }) => state === 'conflicted').length;
  const whole = { ...(note === undefined ? {} : { note }), ...(cannotUndo ? { cannotUndo } : {}) };
  return { path, label, kind, added, removed, hunks: hunks.length, conflicts, ...whole, ...(guarded ? { guarded } : {}) };
}
