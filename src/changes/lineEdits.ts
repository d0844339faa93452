import { editsOfLines, type LineEdit } from './lineDiff';
import { sameLines } from './pieces';

/** Replaces the characters `start` … before `end` (offsets in UTF-16 units) by `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Lines with their line feeds; the last one has none unless the text ends with one. "" has no lines. */
export function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** The edits that make `before` into `after`, see `editsOfLines`. Their lines have their line feeds. */
export function lineEdits(before: string, after: string): LineEdit[] {
  return before === after ? [] : editsOfLines(linesOf(before), linesOf(after));
}

/** The same in characters. Equal text at both ends of each edit is left out, so that cursors and markers stay. */
export function textEdits(before: string, after: string): TextEdit[] {
  const lines = linesOf(before);
  const starts = [0];
  for (const line of lines) starts.push(starts[starts.length - 1]! + line.length);
  return lineEdits(before, after).map(({ start, end, lines: fresh }) => {
    const from = starts[start]!;
    const to = starts[end]!;
    const old = before.slice(from, to);
    const text = fresh.join('');
    const most = Math.min(old.length, text.length);
    let head = 0;
    while (head < most && old[head] === text[head]) head++;
    if (head > 0 && isHighSurrogate(old, head - 1)) head--;
    let tail = 0;
    while (tail < most - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
    if (tail > 0 && isHighSurrogate(old, old.length - tail - 1)) tail--;
    return { start: from + head, end: to - tail, text: text.slice(head, text.length - tail) };
  });
}

/** @param edits ascending, not overlapping. */
export function withLineEdits<Line>(lines: readonly Line[], edits: readonly LineEdit<Line>[]): Line[] {
  const result: Line[] = [];
  let at = 0;
  for (const edit of edits) {
    for (; at < edit.start; at++) result.push(lines[at]!);
    for (const line of edit.lines) result.push(line);
    at = edit.end;
  }
  for (; at < lines.length; at++) result.push(lines[at]!);
  return result;
}

/** The lines `start` … before `end` after edits inside of them. Edits and lines are counted from the start of the text. */
export function partWithEdits(
  lines: readonly string[],
  { start, end }: Pick<LineEdit, 'start' | 'end'>,
  edits: readonly LineEdit[],
): string[] {
  return withLineEdits(
    lines.slice(start, end),
    edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
  );
}

/** Total of added and removed lines. */
export function sum(items: readonly { readonly added: number; readonly removed: number }[]): {
  added: number;
  removed: number;
} {
  let [added, removed] = [0, 0];
  for (const item of items) {
    added += item.added;
    removed += item.removed;
  }
  return { added, removed };
}

/** Number of added and removed lines between two lists of lines. */
export function lineCounts(before: readonly string[], after: readonly string[]): { added: number; removed: number } {
  return sum(
    editsOfLines(before, after).map(({ start, end, lines }) => ({ added: lines.length, removed: end - start })),
  );
}

/** Orders edits of one text. */
export function byPlace(a: LineEdit, b: LineEdit): number {
  return a.start - b.start || a.end - b.end;
}

/** An insertion at the edge of the other edit overlaps it: which comes first is unknown. */
export function overlaps(a: Pick<LineEdit, 'start' | 'end'>, b: Pick<LineEdit, 'start' | 'end'>): boolean {
  if (a.start === a.end || b.start === b.end) return a.start <= b.end && b.start <= a.end;
  return a.start < b.end && b.start < a.end;
}

export function isSameEdit(a: LineEdit, b: LineEdit): boolean {
  return a.start === b.start && a.end === b.end && sameLines(a.lines, b.lines);
}

/** Lines of a text, and the edits to each of several other texts that overlap there. */
export interface EditGroup {
  readonly start: number;
  readonly end: number;
  readonly edits: readonly (readonly LineEdit[])[];
}

/** Groups edits of the same text that overlap; ascending. @param sides the edits to each of the other texts */
export function groupsOfEdits(sides: readonly (readonly LineEdit[])[]): readonly EditGroup[] {
  const all = sides.flatMap((side, to) => side.map((edit) => ({ edit, to })));
  const groups: { readonly start: number; end: number; readonly edits: LineEdit[][] }[] = [];
  for (const { edit, to } of all.sort((a, b) => byPlace(a.edit, b.edit))) {
    let group = groups.at(-1);
    if (!group || !overlaps(edit, group))
      groups.push((group = { start: edit.start, end: edit.end, edits: sides.map(() => []) }));
    group.end = Math.max(group.end, edit.end);
    group.edits[to]!.push(edit);
  }
  return groups;
}

/** A former last line without a line feed gets one if other lines follow it. */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line, i) => (i < lines.length - 1 && !line.endsWith('\n') ? `${line}\n` : line)).join('');
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}
