import { editsOfLines, type LineEdit, type Work } from '../changes/lineDiff';
import { linesOf } from '../changes/lineEdits';
import type { HunkView } from '../protocol/diffView';

export interface UnifiedDiff {
  readonly hunks: readonly HunkView[];
  /** Numbers of added and removed lines, also of those beyond the limit. */
  readonly added: number;
  readonly removed: number;
  /** Some lines were beyond the limit. */
  readonly isCut: boolean;
}

const contextLines = 3;

/**
 * Two texts as a unified diff, with three lines around each change. Lines have their line ends.
 * @param room the most lines of hunks
 * @param work see `editsOfLines`
 */
export function unifiedDiff(before: string, after: string, room: number, work: Work): UnifiedDiff {
  const old = linesOf(before);
  const edits = editsOfLines(old, linesOf(after), work);
  const hunks: HunkView[] = [];
  let [added, removed, left] = [0, 0, room];
  for (const group of together(edits)) {
    const begin = Math.max(0, group[0]!.start - contextLines);
    const shown: string[] = [];
    const add = (sign: string, lines: readonly string[], from: number, to: number) => {
      for (let i = from; i < to; i++) {
        if (left-- <= 0) return;
        shown.push(sign + lines[i]!);
      }
    };
    const newStart = begin + added - removed + 1;
    let at = begin;
    for (const { start, end, lines } of group) {
      add(' ', old, at, start);
      add('-', old, start, end);
      add('+', lines, 0, lines.length);
      added += lines.length;
      removed += end - start;
      at = end;
    }
    add(' ', old, at, Math.min(old.length, at + contextLines));
    if (shown.length > 0) hunks.push({ oldStart: begin + 1, newStart, lines: shown });
  }
  return { hunks, added, removed, isCut: left < 0 };
}

/** Edits whose surrounding lines touch are in one hunk. */
function together(edits: readonly LineEdit[]): LineEdit[][] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    if (group && edit.start - group.at(-1)!.end <= 2 * contextLines) group.push(edit);
    else groups.push([edit]);
  }
  return groups;
}
