import { diffArrays } from 'diff';

/** Hunks with more lines have no marks. */
const maxLines = 400;
/** Longer lines have no marks either. */
const maxLine = 400;
/** If more of a line than this differs, it is another line. */
const maxChanged = 0.7;

/** Beginning and end, in the text of a line without its sign. */
export type WordPlace = readonly [from: number, to: number];

/**
 * The words that differ between corresponding lines.
 * @param lines of a hunk, each with its sign.
 * @returns places by the index of the line; none for a line that differs completely.
 */
export function changedWords(lines: readonly string[]): ReadonlyMap<number, readonly WordPlace[]> {
  const words = new Map<number, readonly WordPlace[]>();
  if (lines.length > maxLines) return words;
  for (const [removed, added] of pairedLines(lines)) {
    const places = changedPlaces(lines[removed]!.slice(1), lines[added]!.slice(1));
    if (!places) continue;
    words.set(removed, places.old);
    words.set(added, places.new);
  }
  return words;
}

/**
 * Pairs the first removed line with the first added one, and so on. Only runs of equal length are lines that were
 * changed one by one.
 */
function pairedLines(lines: readonly string[]): (readonly [removed: number, added: number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed, '+');
    if (removed === added) for (let i = at; i < at + removed; i++) pairs.push([i, i + removed]);
    at += Math.max(1, removed + added);
  }
  return pairs;
}

function runOf(lines: readonly string[], from: number, sign: '+' | '-'): number {
  let end = from;
  while (lines[end]?.startsWith(sign)) end++;
  return end - from;
}

function changedPlaces(
  before: string,
  after: string,
): { readonly old: WordPlace[]; readonly new: WordPlace[] } | undefined {
  if (before.length > maxLine || after.length > maxLine) return undefined;
  const parts = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: 60 });
  if (!parts) return undefined;
  const places = { old: [] as WordPlace[], new: [] as WordPlace[] };
  const at = { old: 0, new: 0 };
  let changed = 0;
  for (const { value: words, added, removed } of parts) {
    const value = words.join('');
    if (removed) add(places.old, at.old, value.length);
    if (added) add(places.new, at.new, value.length);
    if (removed || added) changed += value.trim().length;
    if (!added) at.old += value.length;
    if (!removed) at.new += value.length;
  }
  const all = before.trim().length + after.trim().length;
  return changed > all * maxChanged ? undefined : places;
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^]/gu) ?? [];
}

function add(places: WordPlace[], from: number, length: number): void {
  const last = places.at(-1);
  if (last?.[1] === from) places[places.length - 1] = [last[0], from + length];
  else places.push([from, from + length]);
}
