import { editsOfLines, type LineEdit } from './lineDiff';
import { joinLines, linesOf, overlaps, withLineEdits } from './lineEdits';

/** What becomes of lines that both sides have changed differently: both texts are the user's lines, then the others. */
export type Overlap = 'mine' | 'theirs' | 'both';

/** A place that both sides have changed differently. Texts have their line feeds; "" where a side has no lines. */
export interface BothChanged {
  /** Where it begins in the text that came of both. 0-based. */
  readonly line: number;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

export interface TakenOver {
  readonly text: string;
  /** Ascending. */
  readonly overlaps: readonly BothChanged[];
}

/**
 * Takes chosen edits over into a text that has changed too: a three-way merge in which nothing is left out unseen.
 * @param chosen edits of `base`, ascending, from `lineEdits(base, theirs)`
 */
export function takeOver(base: string, mine: string, chosen: readonly LineEdit[], overlap: Overlap): TakenOver {
  const lines = linesOf(base);
  const regions = regionsOf(editsOfLines(lines, linesOf(mine)), chosen);
  const edits = regions.map((region) => resolved(lines, region, overlap));
  const overlaps: BothChanged[] = [];
  let moved = 0;
  for (const [i, region] of regions.entries()) {
    if (isOverlap(lines, region)) overlaps.push(bothChanged(lines, region, region.start + moved));
    moved += edits[i]!.lines.length - (region.end - region.start);
  }
  return { text: joinLines(withLineEdits(lines, edits)), overlaps };
}

/** A part of the base, and the edits of each side that touch it. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly mine: readonly LineEdit[];
  readonly theirs: readonly LineEdit[];
}

function regionsOf(mine: readonly LineEdit[], theirs: readonly LineEdit[]): Region[] {
  const all = [
    ...mine.map((edit) => ({ start: edit.start, end: edit.end, mine: [edit], theirs: [] as LineEdit[] })),
    ...theirs.map((edit) => ({ start: edit.start, end: edit.end, mine: [] as LineEdit[], theirs: [edit] })),
  ].sort((a, b) => a.start - b.start || a.end - b.end);
  const regions: Region[] = [];
  for (const next of all) {
    const last = regions.at(-1);
    // Edits of one side never touch each other.
    if (!last || !overlaps({ ...last, lines: [] }, { ...next, lines: [] })) regions.push(next);
    else
      regions[regions.length - 1] = {
        start: last.start,
        end: Math.max(last.end, next.end),
        mine: [...last.mine, ...next.mine],
        theirs: [...last.theirs, ...next.theirs],
      };
  }
  return regions;
}

/** The region's lines after the edits of one side. */
function after(base: readonly string[], { start, end }: Region, edits: readonly LineEdit[]): readonly string[] {
  const inside = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return withLineEdits(base.slice(start, end), inside);
}

function isOverlap(base: readonly string[], region: Region): boolean {
  const { mine, theirs } = region;
  return (
    mine.length > 0 && theirs.length > 0 && after(base, region, mine).join('') !== after(base, region, theirs).join('')
  );
}

function bothChanged(base: readonly string[], region: Region, line: number): BothChanged {
  const [mine, theirs] = [after(base, region, region.mine), after(base, region, region.theirs)];
  return {
    line,
    base: base.slice(region.start, region.end).join(''),
    mine: mine.join(''),
    theirs: theirs.join(''),
  };
}

function resolved(base: readonly string[], region: Region, overlap: Overlap): LineEdit {
  const { start, end } = region;
  const [mine, theirs] = [after(base, region, region.mine), after(base, region, region.theirs)];
  if (!isOverlap(base, region)) return { start, end, lines: region.mine.length > 0 ? mine : theirs };
  return { start, end, lines: { mine, theirs, both: [...mine, ...theirs] }[overlap] };
}
