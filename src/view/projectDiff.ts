import type { DiffView } from '../protocol/diffView';
import { withWords } from './changedWords';
import { labelOfPath, resolvePath } from './labels';
import { linesOf, unifiedDiff } from './unifiedDiff';
import { ViewCache } from './viewCache';

/** Lines of hunks that a card carries; the diff editor shows the rest. */
export const maxDiffLines = 400;
/** Beyond this many characters a diff in a card says nothing that a user could read; counting must stay cheap. */
const maxLength = 2_000_000;
/** Comparisons of lines for the diffs of one card. */
const maxWork = 1_000_000;

/**
 * The hunks of a tool call's diff. `oldText` null = the file is new (item 101).
 * @param among how many items the card has
 */
export function diffView(path: string, oldText: string | null, newText: string, cwd: string, among = 1): DiffView {
  const absolute = resolvePath(path, cwd);
  const base = { type: 'diff' as const, path: absolute, label: labelOfPath(absolute, cwd), isNew: oldText === null };
  const before = oldText ?? '';
  if (before.length + newText.length > maxLength) return { ...base, added: linesOf(newText).length, removed: linesOf(before).length, hunks: [], truncated: true };
  const { hunks, added, removed, isCut } = unifiedDiff(before, newText, maxDiffLines, Math.ceil(maxWork / among));
  return { ...base, added, removed, hunks: hunks.map(withWords), truncated: isCut };
}

const views = new ViewCache<object, DiffView>();

/**
 * The same, made once per diff: a card is projected again whenever its status changes. `cwd` must not change for it.
 * @param among how many items the card has
 */
export function cachedDiffView(diff: { readonly path: string; readonly oldText: string | null; readonly newText: string }, cwd: string, among: number): DiffView {
  return views.get(diff, () => diffView(diff.path, diff.oldText, diff.newText, cwd, among));
}
