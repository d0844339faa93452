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

/** A region in which the agent's text differs from the baseline. */
export interface HunkPiece {
  readonly kind: 'hunk';
  readonly id: string;
  /** The turn that wrote the agent's lines, and its `Step.order`. */
  readonly turn?: string | undefined;
  readonly order: number;
  /** The turns before it that changed lines here, the first one first. Absent if there are none. */
  readonly earlier?: readonly Step[];
  readonly baseline: readonly string[];
  readonly agent: readonly string[];
  readonly current: readonly string[];
  /** The lines before Undo, if they are not just the agent's lines. */
  readonly undone?: readonly string[];
  /** The user chose Undo but the hunk had edits of the user. */
  readonly conflicted: boolean;
}

/**
 * Lines as an editor counts them: without line feeds, and one more than there are line feeds. So any line can be
 * followed by any other, even the last one of a file.
 */
export function toLines(text: string): string[] {
  return text.split('\n');
}

/**
 * Three texts of one file as one list: its baseline, the agent's text, and the current text. An edit of the user
 * outside a hunk changes all three at once, so it is neither attributed to the agent nor undone.
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

/** True if the hunk has exactly the agent's lines. */
export function isUntouched(piece: HunkPiece): boolean {
  return sameLines(piece.agent, piece.current);
}

/** True if the hunk has the baseline's lines again. */
export function isRejected(piece: HunkPiece): boolean {
  return sameLines(piece.baseline, piece.current);
}

/** The lines that a restored hunk gets. */
export function comingBack(piece: HunkPiece): readonly string[] {
  return piece.undone ?? piece.agent;
}

/** Joins neighbouring unchanged pieces and drops empty ones. */
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
