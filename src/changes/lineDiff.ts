import { diffArrays } from 'diff';

/** Replaces lines `start` … before `end` (0-based) of a text by `lines`. */
export interface LineEdit<Line = string> {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly Line[];
}

/** Beyond this many differences in one region it is replaced as a whole: a finer diff would not help the reader. */
const MAX_DIFFERENCES = 2_000;
/**
 * The default limit of line comparisons. Work is counted and not timed, so that the same texts give the same hunks on
 * every machine.
 */
const MAX_WORK = 20_000_000;
/** Two different lines end one step of the search. Such a step takes as long as this many comparisons. */
const STEP_WORK = 10;
/**
 * The smallest difference is searched for up to this many lines on both sides together. Larger regions are first
 * divided at lines that occur once.
 */
const SMALL = 400;

/** The budget of a search, which reduces it as it runs. */
export interface Work {
  /** Comparisons of lines. */
  left: number;
}

class TooMuchWork extends Error {}

interface Region {
  readonly startA: number;
  readonly endA: number;
  readonly startB: number;
  readonly endB: number;
}

/**
 * The edits that turn the lines `a` into `b`: ascending, never touching each other. The result is the smallest one for
 * few differences. For many, lines that occur once on each side are anchors (a patience diff), so that the time grows
 * with the size of the differences and not with their square.
 * @param work if it runs out, the rest is replaced as a whole
 */
export function editsOfLines(a: readonly string[], b: readonly string[], work: Work = { left: MAX_WORK }): LineEdit[] {
  if (a === b) return [];
  const edits: LineEdit[] = [];
  // A stack: the last region is next. An array avoids deep recursion.
  const regions: Region[] = [{ startA: 0, endA: a.length, startB: 0, endB: b.length }];
  for (let region = regions.pop(); region; region = regions.pop()) {
    for (const part of diffRegion(a, b, region, work, edits).reverse()) regions.push(part);
  }
  return edits;
}

const known = new WeakMap<readonly string[], WeakMap<readonly string[], readonly LineEdit[]>>();

/** `editsOfLines`, cached for the same two arrays, because the user may type in a hunk of many lines. */
export function knownEdits(from: readonly string[], to: readonly string[]): readonly LineEdit[] {
  let all = known.get(from);
  if (!all) known.set(from, (all = new WeakMap()));
  let edits = all.get(to);
  if (!edits) all.set(to, (edits = editsOfLines(from, to)));
  return edits;
}

/** Adds the edits of a region. @returns the smaller regions to compare instead, if any */
function diffRegion(
  a: readonly string[],
  b: readonly string[],
  whole: Region,
  work: Work,
  edits: LineEdit[],
): Region[] {
  const region = trimmed(a, b, whole);
  const { startA, endA, startB, endB } = region;
  if (startA === endA && startB === endB) return [];
  const size = endA - startA + endB - startB;
  const isLarge = size > SMALL;
  if (isLarge) work.left -= size;
  if (startA === endA || startB === endB || work.left < 0) {
    edits.push({ start: startA, end: endA, lines: b.slice(startB, endB) });
    return [];
  }
  const anchors = isLarge ? anchorsIn(a, b, region) : [];
  if (anchors.length === 0) {
    searched(a, b, region, work, edits);
    return [];
  }
  const parts: Region[] = [];
  let [atA, atB] = [startA, startB];
  for (const [inA, inB] of anchors) {
    parts.push({ startA: atA, endA: inA, startB: atB, endB: inB });
    [atA, atB] = [inA + 1, inB + 1];
  }
  return [...parts, { startA: atA, endA, startB: atB, endB }];
}

function trimmed(a: readonly string[], b: readonly string[], { startA, endA, startB, endB }: Region): Region {
  while (startA < endA && startB < endB && a[startA] === b[startB]) {
    startA++;
    startB++;
  }
  while (startA < endA && startB < endB && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  return { startA, endA, startB, endB };
}

function searched(
  a: readonly string[],
  b: readonly string[],
  { startA, endA, startB, endB }: Region,
  work: Work,
  edits: LineEdit[],
): void {
  const fresh = b.slice(startB, endB);
  const parts = smallest(a.slice(startA, endA), fresh, work);
  if (!parts) {
    edits.push({ start: startA, end: endA, lines: fresh });
    return;
  }
  let at = startA;
  let open: { start: number; end: number; lines: string[] } | undefined;
  for (const part of parts) {
    if (!part.added && !part.removed) {
      at += part.value.length;
      open = undefined;
      continue;
    }
    if (!open) edits.push((open = { start: at, end: at, lines: [] }));
    if (part.added) open.lines.push(...part.value);
    else {
      at += part.value.length;
      open.end = at;
    }
  }
}

/** The smallest difference; undefined if it is too large or the search takes too much work. */
function smallest(a: string[], b: string[], work: Work) {
  const comparator = (left: string, right: string): boolean => {
    const isSame = left === right;
    work.left -= isSame ? 1 : STEP_WORK;
    // The library has no way to stop it by work, only by time, so the comparator throws.
    if (work.left < 0) throw new TooMuchWork();
    return isSame;
  };
  try {
    return diffArrays(a, b, { maxEditLength: MAX_DIFFERENCES, comparator });
  } catch (error) {
    if (error instanceof TooMuchWork) return undefined;
    throw error;
  }
}

/** Lines that occur exactly once on each side, in the longest run that has the same order on both. */
function anchorsIn(
  a: readonly string[],
  b: readonly string[],
  { startA, endA, startB, endB }: Region,
): [number, number][] {
  /** The index of a line in `a`; -1 if it occurs there more than once. */
  const inA = new Map<string, number>();
  for (let i = startA; i < endA; i++) inA.set(a[i]!, inA.has(a[i]!) ? -1 : i);
  /** For each line of `a`, its index in `b`; -1 if it does not occur, -2 if it occurs more than once. */
  const inB = new Int32Array(endA - startA).fill(-1);
  for (let i = startB; i < endB; i++) {
    const at = inA.get(b[i]!) ?? -1;
    if (at >= 0) inB[at - startA] = inB[at - startA] === -1 ? i : -2;
  }
  const pairs: [number, number][] = [];
  for (const [i, at] of inB.entries()) if (at >= 0) pairs.push([startA + i, at]);
  return longestRun(pairs);
}

/** The longest subsequence with ascending second numbers (patience sorting). */
function longestRun(pairs: readonly [number, number][]): [number, number][] {
  /** For each length, the index of the pair with the smallest end. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [i, [, inB]] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < inB) low = middle + 1;
      else high = middle;
    }
    before[i] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = i;
  }
  const run: [number, number][] = [];
  for (let i = ends.at(-1) ?? -1; i >= 0; i = before[i]!) run.push(pairs[i]!);
  return run.reverse();
}
