/** Lines that are the same in all three texts. */
export interface SamePiece {
  readonly kind: 'same';
  readonly lines: readonly string[];
}

/** The lines of a hunk after a turn; `order` tells which turn wrote to the file first. */
export interface Step {
  readonly turn?: string | undefined;
  readonly order: number;
  readonly lines: readonly string[];
}

/** A place where the agent's text differs from the baseline. */
export interface HunkPiece {
  readonly kind: 'hunk';
  readonly id: string;
  /** The turn that wrote the agent's lines, and its `Step.order`. */
  readonly turn?: string | undefined;
  readonly order: number;
  /** The turns before it that changed lines here, the first one first. Absent where it was the only one. */
  readonly earlier?: readonly Step[];
  readonly baseline: readonly string[];
  readonly agent: readonly string[];
  readonly current: readonly string[];
  /** What stood there before it was undone, where that is not just the agent's lines. */
  readonly undone?: readonly string[];
  /** Undo was asked for and could not be done. */
  readonly conflicted: boolean;
}

/**
 * Lines as an editor has them: without line feeds, and one more than there are line feeds. So any of them can stand
 * before any other, the last one of a file too.
 */
export function toLines(text: string): string[] {
  return text.split('\n');
}

/**
 * Three texts of one file told as one list: its baseline, what the agent made of it, and what stands there now. An edit
 * of the user outside a hunk changes all three at once, so it can neither be counted as the agent's nor be undone.
 */
export type Piece = SamePiece | HunkPiece;

export type Side = 'baseline' | 'agent' | 'current';

export function linesOn(pieces: readonly Piece[], side: Side): string[] {
  const lines: string[] = [];
  for (const piece of pieces) for (const line of piece.kind === 'same' ? piece.lines : piece[side]) lines.push(line);
  return lines;
}

export function textOn(pieces: readonly Piece[], side: Side): string {
  return linesOn(pieces, side).join('\n');
}

export function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((line, i) => line === b[i]));
}

/** Nothing but the agent's lines stand there. */
export function isUntouched(piece: HunkPiece): boolean {
  return sameLines(piece.agent, piece.current);
}

/** The baseline's lines stand there again. */
export function isRejected(piece: HunkPiece): boolean {
  return sameLines(piece.baseline, piece.current);
}

/** Replaces pieces one by one; neighbours that are the same everywhere become one. */
export function mapHunks(pieces: readonly Piece[], change: (piece: HunkPiece) => Piece): Piece[] {
  return tidy(pieces.map((piece) => (piece.kind === 'hunk' ? change(piece) : piece)));
}

/** The lines that an undone hunk gets back. */
export function comingBack(piece: HunkPiece): readonly string[] {
  return piece.undone ?? piece.agent;
}

/** Neighbours that are the same everywhere become one. */
export function tidy(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  let run: (readonly string[])[] = [];
  const flush = () => {
    if (run.length > 0) result.push(same(run.length === 1 ? run[0]! : run.flat()));
    run = [];
  };
  for (const piece of pieces) {
    if (piece.kind === 'hunk') {
      flush();
      result.push(piece);
    } else if (piece.lines.length > 0) {
      run.push(piece.lines);
    }
  }
  flush();
  return result;
}

export function same(lines: readonly string[]): SamePiece {
  return { kind: 'same', lines };
}
