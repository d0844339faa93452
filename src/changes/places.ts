import type { Hunk, LineRange } from './hunk';

/** One item to decide: a hunk of a file, or the file as a whole (it is deleted or empty). */
export interface Place {
  readonly sessionId: string;
  readonly path: string;
  readonly hunk: Hunk | undefined;
}

/** The line of a hunk in the editor: its first, or the line after a deletion. */
export function anchorOf(hunk: Hunk, lineCount: number): number {
  return Math.max(0, Math.min(hunk.current.start, lineCount - 1));
}

/** Ranges are rounded to blocks of this many lines, so that scrolling by a few lines changes nothing. */
const BLOCK = 100;

/** The blocks of lines that the ranges touch, with one more block on both sides. */
export function blocksAround(ranges: readonly LineRange[]): LineRange {
  if (ranges.length === 0) return { start: 0, end: 2 * BLOCK };
  const first = Math.min(...ranges.map(({ start }) => start));
  const last = Math.max(...ranges.map(({ end }) => end));
  return { start: Math.max(0, (Math.floor(first / BLOCK) - 1) * BLOCK), end: (Math.ceil(last / BLOCK) + 1) * BLOCK };
}

/** True if a hunk has a line in a range or touches its edge. */
export function isNear({ current }: Hunk, { start, end }: LineRange): boolean {
  return current.start <= end && start <= current.end;
}

/** The hunks that lines `from` … `to` (both included) touch. */
export function hunksAt(hunks: readonly Hunk[], from: number, to: number, lineCount: number): Hunk[] {
  return hunks.filter((hunk) => {
    const first = anchorOf(hunk, lineCount);
    const last = Math.max(first, hunk.current.end - 1);
    return first <= to && from <= last;
  });
}

/**
 * The place before or after a line of a file. Wraps around through all files. Starts at the first or last place if the
 * file has none.
 * @returns an index, -1 if there are no places.
 */
export function neighbour(
  places: readonly Place[],
  path: string | undefined,
  line: number,
  lineCount: number,
  direction: 1 | -1,
): number {
  const mine = places.flatMap(({ hunk, path: other }, i) => (other === path ? [{ hunk, i }] : []));
  if (mine.length === 0) return direction > 0 ? (places.length > 0 ? 0 : -1) : places.length - 1;
  const first = (hunk: Hunk | undefined) => (hunk ? anchorOf(hunk, lineCount) : 0);
  const last = (hunk: Hunk | undefined) => (hunk ? Math.max(first(hunk), hunk.current.end - 1) : 0);
  const found =
    direction > 0 ? mine.find(({ hunk }) => first(hunk) > line) : mine.findLast(({ hunk }) => last(hunk) < line);
  if (found) return found.i;
  const edge = direction > 0 ? mine.at(-1)!.i + 1 : mine[0]!.i - 1;
  return (edge + places.length) % places.length;
}

/** Index of the place at a line of a file; 0-based, -1 for none. */
export function placeAt(places: readonly Place[], path: string, line: number, lineCount: number): number {
  return places.findIndex(
    (place) =>
      place.path === path && place.hunk !== undefined && hunksAt([place.hunk], line, line, lineCount).length > 0,
  );
}

/**
 * Sorts places of several sessions in one file by line. At the same line the later session comes first, because it is
 * drawn on top.
 */
export function byLine(older: readonly Place[], newer: readonly Place[]): Place[] {
  return [...newer, ...older].sort((a, b) => (a.hunk?.current.start ?? 0) - (b.hunk?.current.start ?? 0));
}
