import { withLineFeeds } from '../changes/lineFeeds';
import { type HunkView, sideOf } from '../protocol/diffView';
import { patchFiles } from './patchText';

/** Lines that are compared to find the places of one patch. */
const maxCompared = 2_000_000;

/** The files of a patch in raw input whose hunks have no line numbers, as the patch spells them. */
export function unnumberedFiles(rawInput: unknown): string[] {
  return patchFiles(rawInput).flatMap(({ path, hunks }) => (hunks.some(isUnnumbered) ? [path] : []));
}

/**
 * Finds the first lines of hunks without line numbers: for each file and hunk the line before and after, `[0, 0]` if
 * unknown. All hunks of a file must fit at exactly one place, in the file before or after the patch.
 * @param textOf the text of a file, by the path as the patch spells it
 */
export function patchLines(
  rawInput: unknown,
  textOf: (path: string) => string | undefined,
): readonly (readonly [before: number, after: number])[][] {
  const room = { lines: maxCompared };
  return patchFiles(rawInput).map(({ path, hunks }) => {
    const text = hunks.some(isUnnumbered) ? textOf(path) : undefined;
    const lines = text === undefined ? [] : withLineFeeds(text).split('\n');
    return (
      placed(hunks, lines, '+', room) ??
      placed(hunks, lines, '-', room) ??
      hunks.map(({ oldStart, newStart }) => [oldStart, newStart] as const)
    );
  });
}

function isUnnumbered({ oldStart, newStart }: HunkView): boolean {
  return oldStart === 0 && newStart === 0;
}

/** @param without the sign of the side that the text does not have */
function placed(
  hunks: readonly HunkView[],
  lines: readonly string[],
  without: '+' | '-',
  room: { lines: number },
): (readonly [number, number])[] | undefined {
  const starts = hunks.map((hunk) => onlyPlace(sideOf(hunk, without), lines, room));
  if (!starts.every((start) => start !== undefined)) return undefined;
  return hunks.map((_, i) => {
    // The hunks above move this one.
    const shift = hunks.reduce(
      (sum, other, j) => (starts[j]! < starts[i]! ? sum + sideOf(other, '-').length - sideOf(other, '+').length : sum),
      0,
    );
    return without === '+' ? [starts[i]!, starts[i]! + shift] : [starts[i]! - shift, starts[i]!];
  });
}

/** The line, from 1, at which some lines are; undefined if they are nowhere or at several places. */
function onlyPlace(part: readonly string[], lines: readonly string[], room: { lines: number }): number | undefined {
  let found: number | undefined;
  for (let at = 0; part.length > 0 && at + part.length <= lines.length; at++) {
    if (!part.every((line, i) => room.lines-- > 0 && lines[at + i] === line)) continue;
    if (found !== undefined) return undefined;
    found = at + 1;
  }
  return room.lines > 0 ? found : undefined;
}
