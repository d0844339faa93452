import { editsOfLines, type LineEdit } from './lineDiff';

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

/** Number of added and removed lines between two lists of lines. */
export function lineCounts(before: readonly string[], after: readonly string[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const edit of editsOfLines(before, after)) {
    added += edit.lines.length;
    removed += edit.end - edit.start;
  }
  return { added, removed };
}

/** The merge of two texts that come from the same base; see `mergeTexts`. */
export interface Merge {
  readonly text: string;
  /** Edits of `theirs` (against `base`) that were left out because `mine` touches the same lines. */
  readonly conflicts: readonly LineEdit[];
}

/**
 * Three-way merge by lines. If both sides changed the same lines differently, `mine` wins and the edit of `theirs` is
 * reported. An insertion at the edge of a replaced region conflicts too, because the order is unknown.
 */
export function mergeTexts(base: string, mine: string, theirs: string): Merge {
  if (mine === theirs || base === theirs) return { text: mine, conflicts: [] };
  if (base === mine) return { text: theirs, conflicts: [] };
  const { lines, conflicts } = mergeLines(linesOf(base), linesOf(mine), linesOf(theirs));
  return { text: joinLines(lines), conflicts };
}

/** The same for lists of lines. */
export function mergeLines(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): { lines: string[]; conflicts: readonly LineEdit[] } {
  const own = editsOfLines(base, mine);
  const { apart, overlapping } = partition(editsOfLines(base, theirs), own);
  const edits = [...own, ...apart].sort((a, b) => a.start - b.start || a.end - b.end);
  return { lines: withLineEdits(base, edits), conflicts: overlapping };
}

/**
 * Splits `edits` into those that overlap none of `others` and those that overlap one. An edit that both have is in
 * neither list.
 */
function partition(
  edits: readonly LineEdit[],
  others: readonly LineEdit[],
): { apart: LineEdit[]; overlapping: LineEdit[] } {
  const apart: LineEdit[] = [];
  const overlapping: LineEdit[] = [];
  for (const edit of edits) {
    const touched = others.filter((other) => overlaps(edit, other));
    if (touched.length === 0) apart.push(edit);
    else if (!touched.some((other) => isSame(edit, other))) overlapping.push(edit);
  }
  return { apart, overlapping };
}

/** An insertion at the edge of the other edit overlaps it: which comes first is unknown. */
export function overlaps(a: LineEdit, b: LineEdit): boolean {
  if (a.start === a.end || b.start === b.end) return a.start <= b.end && b.start <= a.end;
  return a.start < b.end && b.start < a.end;
}

function isSame(a: LineEdit, b: LineEdit): boolean {
  return (
    a.start === b.start &&
    a.end === b.end &&
    a.lines.length === b.lines.length &&
    a.lines.every((line, i) => line === b.lines[i])
  );
}

/** A former last line without a line feed gets one if other lines follow it. */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line, i) => (i < lines.length - 1 && !line.endsWith('\n') ? `${line}\n` : line)).join('');
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}
