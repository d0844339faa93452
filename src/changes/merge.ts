import { editsOfLines, type LineEdit } from './lineDiff';
import { groupsOfEdits, joinLines, lineEdits, linesOf, partWithEdits, withLineEdits } from './lineEdits';
import { sameLines } from './pieces';

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

export interface Merge {
  readonly text: string;
  /** Ascending. */
  readonly overlaps: readonly BothChanged[];
}

/**
 * Three-way merge by lines. If both sides changed the same lines differently, `mine` wins. An insertion at the edge of a
 * replaced region overlaps too, because the order is unknown.
 */
export function mergeTexts(base: string, mine: string, theirs: string): Merge {
  if (base === mine) return { text: theirs, overlaps: [] };
  return takeOver(base, mine, lineEdits(base, theirs), 'mine');
}

/** The same for lists of lines. */
export function mergeLines(base: readonly string[], mine: readonly string[], theirs: readonly string[]): MergedLines {
  return merged(base, mine, editsOfLines(base, theirs), 'mine');
}

/**
 * Takes chosen edits over into a text that has changed too: a three-way merge in which nothing is left out unseen.
 * @param chosen edits of `base`, ascending, from `lineEdits(base, theirs)`
 */
export function takeOver(base: string, mine: string, chosen: readonly LineEdit[], overlap: Overlap): Merge {
  const { lines, overlaps } = merged(linesOf(base), linesOf(mine), chosen, overlap);
  return { text: joinLines(lines), overlaps };
}

interface MergedLines extends Pick<Merge, 'overlaps'> {
  readonly lines: string[];
}

function merged(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly LineEdit[],
  overlap: Overlap,
): MergedLines {
  const edits: LineEdit[] = [];
  const overlaps: BothChanged[] = [];
  let moved = 0;
  for (const group of groupsOfEdits([editsOfLines(base, mine), theirs])) {
    const { start, end } = group;
    const [own = [], others = []] = group.edits;
    const [ours, fresh] = [partWithEdits(base, group, own), partWithEdits(base, group, others)];
    const isOverlap = own.length > 0 && others.length > 0 && !sameLines(ours, fresh);
    const both = { mine: ours, theirs: fresh, both: [...ours, ...fresh] };
    const lines = isOverlap ? both[overlap] : own.length === 0 ? fresh : ours;
    if (isOverlap) {
      const old = base.slice(start, end).join('');
      overlaps.push({ line: start + moved, base: old, mine: ours.join(''), theirs: fresh.join('') });
    }
    edits.push({ start, end, lines });
    moved += lines.length - (end - start);
  }
  return { lines: withLineEdits(base, edits), overlaps };
}
