import { structuredPatch } from 'diff';
import type { DiffView, HunkView } from '../protocol/diffView';
import { withWords } from './changedWords';
import { labelOfPath, resolvePath } from './labels';
import { ViewCache } from './viewCache';

const contextLines = 3;
/** Lines of hunks that a card carries; the diff editor shows the rest. */
export const maxDiffLines = 400;
/** Beyond this many characters a diff in a card says nothing that a user could read; counting must stay cheap. */
const maxLength = 2_000_000;
/** Edits after which the search for the smallest diff is given up. It takes time by their square, so the diffs of one card share them. */
const maxEdits = 3_000;

/** The hunks of a tool call's diff. `oldText` null = the file is new (item 101). */
export function diffView(path: string, oldText: string | null, newText: string, cwd: string, among = 1): DiffView {
  const absolute = resolvePath(path, cwd);
  const base = { type: 'diff' as const, path: absolute, label: labelOfPath(absolute, cwd), isNew: oldText === null };
  const before = oldText ?? '';
  const patch = before.length + newText.length > maxLength ? undefined : structuredPatch('', '', withEnd(before), withEnd(newText), '', '', { context: contextLines, maxEditLength: before === '' || newText === '' ? maxEdits : Math.ceil(maxEdits / Math.sqrt(among)) });
  if (!patch) return { ...base, added: lineCount(newText), removed: lineCount(before), hunks: [], truncated: true };

  let added = 0;
  let removed = 0;
  let room = maxDiffLines;
  const hunks: HunkView[] = [];
  for (const hunk of patch.hunks) {
    const lines: string[] = [];
    for (const line of hunk.lines) {
      const sign = line[0];
      if (sign === '\\') continue;
      if (sign === '+') added++;
      if (sign === '-') removed++;
      if (room-- > 0) lines.push(line.endsWith('\r') ? line.slice(0, -1) : line);
    }
    if (lines.length > 0) hunks.push(withWords({ oldStart: hunk.oldStart, newStart: hunk.newStart, lines }));
  }
  return { ...base, added, removed, hunks, truncated: room < 0 };
}

const views = new ViewCache<object, DiffView>();

/**
 * The same, made once per diff: a card is projected again whenever its status changes. `cwd` must not change for it.
 * @param among how many items the card has
 */
export function cachedDiffView(diff: { readonly path: string; readonly oldText: string | null; readonly newText: string }, cwd: string, among: number): DiffView {
  return views.get(diff, () => diffView(diff.path, diff.oldText, diff.newText, cwd, among));
}

/** A missing newline at the end is not worth a changed line in a card. */
function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function lineCount(text: string): number {
  return text === '' ? 0 : withEnd(text).split('\n').length - 1;
}
