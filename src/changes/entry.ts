import type { Change, Hunk } from './hunk';
import { lineCounts, linesOf, sum } from './lineEdits';
import { type HunkPiece, isRejected, isUntouched, type Piece, textOn } from './pieces';
import { partsOfPiece, stepsOf } from './turnSteps';
import { lastBreakWords } from './textForm';
import { besideNote, isBesideLines, turnsOfWhole, type WholeChange } from './wholeChange';

/** The ledger's record of one file; a plain value, saved for the next window. */
export interface Entry {
  readonly existed: boolean;
  readonly exists: boolean;
  /** Someone other than the agent deleted the file. Nothing of it is pending until it exists again. */
  readonly isAway?: true | undefined;
  /** The turn that touched the file last. */
  readonly turn?: string | undefined;
  readonly pieces: readonly Piece[];
  /**
   * A pending change of the file as a whole. It hides pending hunks until the user decides on it, except if only the
   * storage form or the permissions of the text changed (`isBesideLines`).
   */
  readonly whole?: WholeChange | undefined;
  /**
   * The state before a turn was undone. It can be restored until the agent writes again or the user keeps something.
   */
  readonly undone?: UndoneTurn | undefined;
}

/** A file from which the changes of one turn were removed. */
export interface UndoneTurn {
  readonly pieces: readonly Piece[];
  /** The text without the turn's changes. */
  readonly left: string;
}

/** The entry of a file whose lines are not followed. */
export const noLines: Entry = { existed: false, exists: false, pieces: [] };

/** True if the file has anything pending. */
export function isOpen(entry: Entry): boolean {
  return entry.whole !== undefined || hasOpenLines(entry);
}

/** False for a file that does not exist and did not exist before. */
export function hasLines({ existed, exists }: Entry): boolean {
  return existed || exists;
}

/** True if the file has pending hunks, or if the agent created or deleted it. */
export function hasOpenLines({ existed, exists, isAway, pieces }: Entry): boolean {
  return !isAway && (existed !== exists || pieces.some((piece) => piece.kind === 'hunk' && !isRejected(piece)));
}

/** True if a created file has text that is not the agent's. */
export function hasEdits({ pieces }: Entry): boolean {
  return (
    textOn(pieces, 'baseline') !== '' ||
    pieces.some((piece) => piece.kind === 'hunk' && !(isUntouched(piece) || isRejected(piece)))
  );
}

/** The change of a file with lines, as the UI shows it. */
export function changeOfLines(path: string, entry: Entry): Change {
  const { existed, exists, turn, pieces, whole } = entry;
  const hunks = exists ? hunksOf(pieces).filter(({ state }) => state !== 'rejected') : [];
  const baseline = existed ? textOn(pieces, 'baseline') : undefined;
  const current = exists ? textOn(pieces, 'current') : undefined;
  const kind = !existed ? 'created' : exists ? 'modified' : 'deleted';
  const beside = exists ? [...besideNote(whole), ...lastBreakWords(baseline, current)].join(', ') : '';
  return {
    path,
    kind,
    turn,
    baseline,
    current,
    hunks,
    ...(kind === 'deleted' ? { added: 0, removed: linesOf(baseline!).length } : sum(hunks)),
    ...(beside === '' ? {} : { beside }),
    ...(exists && isBesideLines(whole) ? { besideTurns: turnsOfWhole(whole) } : {}),
  };
}

/** Hunks that were undone and can be restored, by line. */
export function rejectedIn({ exists, pieces }: Entry): Hunk[] {
  return exists ? hunksOf(pieces).filter(({ state }) => state === 'rejected') : [];
}

function hunksOf(pieces: readonly Piece[]): Hunk[] {
  const hunks: Hunk[] = [];
  let before = 0;
  let now = 0;
  for (const piece of pieces) {
    const [was, is] =
      piece.kind === 'same' ? [piece.lines.length, piece.lines.length] : [piece.baseline.length, piece.current.length];
    if (piece.kind === 'hunk') hunks.push(hunkOf(piece, before, now, pieces.length === 1));
    before += was;
    now += is;
  }
  return hunks;
}

function hunkOf(piece: HunkPiece, before: number, now: number, isAll: boolean): Hunk {
  const { id, baseline, agent, current, earlier } = piece;
  const isEdited = !isUntouched(piece) && !isRejected(piece);
  const { added, removed } =
    isEdited || earlier ? lineCounts(baseline, current) : { added: current.length, removed: baseline.length };
  // An empty text has one empty line that nobody wrote.
  const isNothing = (lines: readonly string[]) => isAll && lines.length === 1 && lines[0] === '';
  const counts = { added: isNothing(current) ? 0 : added, removed: isNothing(baseline) ? 0 : removed };
  return {
    id,
    state: isRejected(piece) ? 'rejected' : piece.conflicted && isEdited ? 'conflicted' : 'pending',
    turns: stepsOf(piece).map(({ turn }) => turn),
    isEdited,
    baseline: { start: before, end: before + baseline.length },
    current: { start: now, end: now + current.length },
    baselineLines: baseline,
    agentLines: agent,
    currentLines: current,
    ...counts,
    parts: earlier
      ? partsOfPiece(isNothing(baseline) ? { ...piece, baseline: [] } : piece)
      : [{ turn: piece.turn, ...counts }],
  };
}
