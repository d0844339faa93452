import { joinMoves } from '../changes/movedFiles';
import type { Change } from '../changes/hunk';
import type { ChangeView, MoreChangesView } from '../protocol/changeView';

/**
 * Joins the rows of two sessions that changed one file.
 * @param older of the session that changed it first; undefined if there is none.
 */
export function joinedChange(older: ChangeView | undefined, newer: ChangeView): ChangeView {
  if (!older) return newer;
  const { note: olderNote, beside: olderBeside, cannotUndo: olderCannot, ...row } = older;
  const isGone = newer.kind === 'deleted';
  const hunks = older.hunks + newer.hunks;
  // A file that both deleted lost its lines only once.
  const isCountedOnce = isGone && older.kind === 'deleted';
  const note = newer.note ?? olderNote;
  const beside = newer.beside ?? olderBeside;
  return {
    ...row,
    kind: isGone ? 'deleted' : older.kind === 'created' ? 'created' : 'modified',
    added: older.added + (isCountedOnce ? 0 : newer.added),
    removed: older.removed + (isCountedOnce ? 0 : newer.removed),
    hunks,
    conflicts: older.conflicts + newer.conflicts,
    // A note replaces lines only if neither row has any.
    ...(note === undefined || hunks > 0 ? {} : { note }),
    ...(beside === undefined ? {} : { beside }),
    ...(olderCannot && newer.cannotUndo ? { cannotUndo: true } : {}),
    ...(newer.guarded ? { guarded: true } : {}),
  };
}

/** Joins the row of a removed file with that of the file that replaces it; see `joinMoves`. */
export function joinRenames(
  changes: readonly ChangeView[],
  movedFrom: (path: string) => string | undefined,
): readonly ChangeView[] {
  return joinMoves(changes, movedFrom, (change, old, lines) => ({
    ...change,
    ...lines,
    kind: 'renamed',
    from: old.label,
  }));
}

/** A change of one file as a row of a list. @param guarded true for a protected file */
export function changeView(
  { path, kind, added, removed, hunks, note, beside, cannotUndo }: Change,
  label: string,
  guarded: boolean,
): ChangeView {
  const conflicts = hunks.filter(({ state }) => state === 'conflicted').length;
  const whole = {
    ...(note === undefined ? {} : { note }),
    ...(beside === undefined ? {} : { beside }),
    ...(cannotUndo ? { cannotUndo } : {}),
  };
  return {
    path,
    label,
    kind,
    added,
    removed,
    hunks: hunks.length,
    conflicts,
    ...whole,
    ...(guarded ? { guarded } : {}),
  };
}

/** A longer list is not readable in the panel; the review and the tree have all files. */
export const MAX_LISTED_CHANGES = 200;

/** The changed files that the panel lists, and numbers for the rest. */
export interface ChangeSummary {
  readonly changes: readonly ChangeView[];
  readonly moreChanges?: MoreChangesView;
}

const known = new WeakMap<readonly ChangeView[], ChangeSummary>();

/**
 * The first files, those with conflicts before the others, and numbers for the rest. The same list gives the
 * same value.
 */
export function summarise(changes: readonly ChangeView[]): ChangeSummary {
  let summary = known.get(changes);
  if (!summary) known.set(changes, (summary = shorten(changes)));
  return summary;
}

function shorten(changes: readonly ChangeView[]): ChangeSummary {
  if (changes.length <= MAX_LISTED_CHANGES) return { changes };
  const urgent = changes.filter(({ conflicts }) => conflicts > 0).slice(0, MAX_LISTED_CHANGES);
  const chosen = new Set(urgent);
  for (const change of changes) {
    if (chosen.size >= MAX_LISTED_CHANGES) break;
    chosen.add(change);
  }
  const listed = changes.filter((change) => chosen.has(change));
  const rest = changes.filter((change) => !chosen.has(change));
  const sum = (of: (change: ChangeView) => number) => rest.reduce((total, change) => total + of(change), 0);
  return {
    changes: listed,
    moreChanges: { files: rest.length, added: sum(({ added }) => added), removed: sum(({ removed }) => removed) },
  };
}
