import { editsOfLines, type LineEdit } from './lineDiff';
import { type EditGroup, groupsOfEdits, joinLines, linesOf, partWithEdits, withLineEdits } from './lineEdits';

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
  const regions = groupsOfEdits([editsOfLines(lines, linesOf(mine)), chosen]).map((group) => regionOf(lines, group));
  const edits = regions.map((region) => ({ start: region.start, end: region.end, lines: resolved(region, overlap) }));
  const overlaps: BothChanged[] = [];
  let moved = 0;
  for (const [i, { start, end, base: old, mine: own, theirs, isOverlap }] of regions.entries()) {
    if (isOverlap)
      overlaps.push({ line: start + moved, base: old.join(''), mine: own.join(''), theirs: theirs.join('') });
    moved += edits[i]!.lines.length - (end - start);
  }
  return { text: joinLines(withLineEdits(lines, edits)), overlaps };
}

/** A part of the base that one or both sides have changed, with the lines of each. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  /** Only the others have changed it. */
  readonly isTheirs: boolean;
  readonly isOverlap: boolean;
}

function regionOf(base: readonly string[], group: EditGroup): Region {
  const { start, end } = group;
  const [own = [], others = []] = group.edits;
  const [mine, theirs] = [partWithEdits(base, group, own), partWithEdits(base, group, others)];
  const isOverlap = own.length > 0 && others.length > 0 && mine.join('') !== theirs.join('');
  return { start, end, base: base.slice(start, end), mine, theirs, isTheirs: own.length === 0, isOverlap };
}

function resolved({ mine, theirs, isTheirs, isOverlap }: Region, overlap: Overlap): readonly string[] {
  if (!isOverlap) return isTheirs ? theirs : mine;
  return { mine, theirs, both: [...mine, ...theirs] }[overlap];
}
