import type { Work } from '../changes/lineDiff';
import { linesOf } from '../changes/lineEdits';
import type { DiffView, HunkView } from '../protocol/diffView';
import { labelOfPath, resolvePath } from './labels';
import { unifiedDiff } from './unifiedDiff';
import { ViewCache } from './viewCache';

/** Lines of hunks that a card carries; the diff editor shows the rest. */
export const maxDiffLines = 400;
/** Beyond this many characters a diff in a card says nothing that a user could read; counting must stay cheap. */
const maxLength = 2_000_000;
/** What comparing the texts of one diff may cost, and those of one card. */
const maxWork = 1_000_000;
const maxCardWork = 5_000_000;

/** For the diffs of one card. */
export function cardWork(): Work {
  return { left: maxCardWork };
}

/** The hunks of a tool call's diff. `oldText` null = the file is new (item 101). */
export function diffView(
  path: string,
  oldText: string | null,
  newText: string,
  cwd: string,
  card = cardWork(),
): DiffView {
  const absolute = resolvePath(path, cwd);
  const base = { type: 'diff' as const, path: absolute, label: labelOfPath(absolute, cwd), isNew: oldText === null };
  const [before, after] = [withEnd(oldText ?? ''), withEnd(newText)];
  if (before.length + after.length > maxLength)
    return { ...base, added: linesOf(after).length, removed: linesOf(before).length, hunks: [], truncated: true };
  const share = Math.min(maxWork, card.left);
  const work = { left: share };
  const { hunks, added, removed, isCut } = unifiedDiff(before, after, maxDiffLines, work);
  card.left -= share - Math.max(0, work.left);
  return { ...base, added, removed, hunks: hunks.map(readable), truncated: isCut };
}

/** Line ends are not shown. */
function readable(hunk: HunkView): HunkView {
  return { ...hunk, lines: hunk.lines.map((line) => line.replace(/\r?\n$/, '')) };
}

/** A missing newline at the end is not worth a changed line in a card. */
function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

const views = new ViewCache<object, DiffView>();

/**
 * The same, made once per diff: a card is projected again whenever its status changes. `cwd` must not change for it.
 */
export function cachedDiffView(
  diff: { readonly path: string; readonly oldText: string | null; readonly newText: string },
  cwd: string,
  card: Work,
): DiffView {
  return views.get(diff, () => diffView(diff.path, diff.oldText, diff.newText, cwd, card));
}
