import type { ChangeView, MoreChangesView } from '../protocol/changeView';

/** A list that is longer tells nothing more to who reads it; the review and the tree have all of them. */
export const MAX_LISTED_CHANGES = 200;

/** What the panel is told of the changed files. */
export interface ChangeSummary {
  readonly changes: readonly ChangeView[];
  readonly moreChanges?: MoreChangesView;
}

const known = new WeakMap<readonly ChangeView[], ChangeSummary>();

/**
 * The first files, those with something to decide before the others, and numbers for the rest. The same list gives the
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
