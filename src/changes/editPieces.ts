import { editsOfLines, knownEdits, type LineEdit } from './lineDiff';
import { groupsOfEdits, partWithEdits, withLineEdits } from './lineEdits';
import { mergeLines } from './merge';
import {
  comingBack,
  type HunkPiece,
  isRejected,
  isUntouched,
  linesOn,
  type Piece,
  same,
  sameLines,
  type Step,
  textOn,
  tidy,
  toLines,
} from './pieces';
import { joinedSteps, withSteps } from './turnSteps';

/** Who made an edit: the agent in a turn, or anyone else. */
type Author = 'person' | Omit<Step, 'lines'>;

/** Makes ids for new hunks. */
type NextId = () => string;

/** The pieces after `author` changed the file to `text`. Lines outside the change stay as they are. */
export function withText(pieces: readonly Piece[], text: string, author: Author, nextId: NextId): readonly Piece[] {
  const known = author === 'person' ? restored(pieces, text) : undefined;
  if (known) return known;
  const before = linesOn(pieces, 'current');
  // Zero lines and one empty line are the same text.
  const edits = before.length === 0 && text === '' ? [] : editsOfLines(before, toLines(text));
  if (author !== 'person' && pieces.length === 1 && pieces[0]!.kind === 'same')
    return firstWrite(before, edits, author, nextId);
  return tidy(withEdits(pieces, edits, author, nextId));
}

/**
 * Applies edits to the pieces. Each edit looks only at the pieces that it touches, because there may be thousands of
 * both.
 * @param edits ascending, not touching each other
 */
function withEdits(pieces: readonly Piece[], edits: readonly LineEdit[], author: Author, nextId: NextId): Piece[] {
  const head = [...pieces];
  /** Pieces behind the remaining edits, the last piece first. */
  const done: Piece[] = [];
  let end = pieces.reduce((sum, piece) => sum + linesNow(piece), 0);
  const startOfLast = () => end - linesNow(head.at(-1)!);
  const take = () => {
    end = startOfLast();
    return head.pop()!;
  };
  // The last edit goes first, so that the positions of earlier edits stay valid.
  for (const edit of edits.toReversed()) {
    while (head.length > 0 && startOfLast() > edit.end) done.push(take());
    const touched: Piece[] = [];
    while (head.length > 0 && end >= edit.start) touched.push(take());
    const fresh = withEdit(
      touched.reverse(),
      { ...edit, start: edit.start - end, end: edit.end - end },
      author,
      nextId,
    );
    for (const piece of fresh) {
      head.push(piece);
      end += linesNow(piece);
    }
  }
  return [...head, ...done.reverse()];
}

/** The agent's first write to a file, which may change very many places: each edit is a hunk. */
function firstWrite(
  before: readonly string[],
  edits: readonly LineEdit[],
  { turn, order }: Omit<Step, 'lines'>,
  nextId: NextId,
): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, lines } of edits) {
    pieces.push(same(before.slice(at, start)), {
      kind: 'hunk',
      id: nextId(),
      turn,
      order,
      baseline: before.slice(start, end),
      agent: lines,
      current: lines,
      conflicted: false,
    });
    at = end;
  }
  return tidy([...pieces, same(before.slice(at))]);
}

/** At most this many hunks are tried one by one; see `restored`. */
const MAX_TRIED = 50;

/**
 * Recognizes Ctrl+Z after an Undo, and Ctrl+Y: exactly the former lines of one hunk, or of all, come back. If lines
 * repeat, a diff may be a few lines off and attribute them to the user, so this is tried first.
 */
function restored(pieces: readonly Piece[], text: string): Piece[] | undefined {
  const flips: Flip[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'same') continue;
    if (isRejected(piece)) flips.push({ piece, isBack: true, lines: comingBack(piece) });
    else if (isUntouched(piece)) flips.push({ piece, isBack: false, lines: piece.baseline });
  }
  if (flips.length === 0) return undefined;
  const missing =
    text.length +
    1 -
    pieces.reduce((sum, piece) => sum + charsIn(piece.kind === 'same' ? piece.lines : piece.current), 0);
  const flipped = (chosen: readonly Flip[]): Piece[] | undefined => {
    if (chosen.length === 0 || chosen.reduce((sum, flip) => sum + delta(flip), 0) !== missing) return undefined;
    const now = new Map(chosen.map(({ piece, lines }) => [piece, lines]));
    const result = pieces.map((piece) =>
      piece.kind === 'hunk' && now.has(piece) ? { ...piece, current: now.get(piece)!, conflicted: false } : piece,
    );
    return textOn(result, 'current') === text ? result : undefined;
  };
  const single = flips.filter((flip) => delta(flip) === missing).slice(0, MAX_TRIED);
  for (const chosen of [
    flips.filter(({ isBack }) => isBack),
    flips.filter(({ isBack }) => !isBack),
    ...single.map((flip) => [flip]),
  ]) {
    const result = flipped(chosen);
    if (result) return result;
  }
  return undefined;
}

/** A hunk with the other lines that it may switch to: the undone ones, or those of the baseline. */
interface Flip {
  readonly piece: HunkPiece;
  readonly isBack: boolean;
  readonly lines: readonly string[];
}

function delta({ piece, lines }: Flip): number {
  return charsIn(lines) - charsIn(piece.current);
}

const counted = new WeakMap<readonly string[], number>();

/** Characters, with a line feed for each line. Pieces share their unchanged lines, so most are counted already. */
function charsIn(lines: readonly string[]): number {
  let chars = counted.get(lines);
  if (chars === undefined) counted.set(lines, (chars = lines.reduce((sum, line) => sum + line.length + 1, 0)));
  return chars;
}

function withEdit(pieces: readonly Piece[], edit: LineEdit, author: Author, nextId: NextId): Piece[] {
  const aligned = splitAt(splitAt(pieces, edit.start), edit.end);
  const reach = reachOf(aligned, edit, author);
  const inside = aligned.slice(reach.first, reach.last);
  const fresh =
    inside.some((piece) => piece.kind === 'hunk') || author !== 'person'
      ? merged(inside, edit, reach.start, author, nextId)
      : [same(edit.lines)];
  return [...aligned.slice(0, reach.first), ...fresh, ...aligned.slice(reach.last)];
}

/** Splits an unchanged piece at `line` (of the current text) if the line is inside it. */
function splitAt(pieces: readonly Piece[], line: number): readonly Piece[] {
  let at = 0;
  for (const [i, piece] of pieces.entries()) {
    const end = at + linesNow(piece);
    if (piece.kind === 'same' && at < line && line < end) {
      return [
        ...pieces.slice(0, i),
        same(piece.lines.slice(0, line - at)),
        same(piece.lines.slice(line - at)),
        ...pieces.slice(i + 1),
      ];
    }
    if (at >= line) break;
    at = end;
  }
  return pieces;
}

/** The pieces (`first` … before `last`) that an edit changes, and the line at which they start. */
function reachOf(
  pieces: readonly Piece[],
  edit: LineEdit,
  author: Author,
): { first: number; last: number; start: number } {
  let first = -1;
  let last = 0;
  let start = edit.start;
  let before = 0;
  let at = 0;
  for (const [i, piece] of pieces.entries()) {
    const end = at + linesNow(piece);
    if (piece.kind === 'hunk' ? reaches(edit, at, end, author) : at < edit.end && edit.start < end) {
      if (first < 0) {
        first = i;
        start = at;
      }
      last = i + 1;
    }
    if (end <= edit.start) before = i + 1;
    if (at > edit.end) break;
    at = end;
  }
  return first < 0 ? { first: before, last: before, start: edit.start } : { first, last, start };
}

/**
 * True if an edit changes a hunk. User edits right before or after a hunk are separate from it. Agent edits there
 * belong to it, because two hunks never touch.
 */
function reaches(edit: LineEdit, start: number, end: number, author: Author): boolean {
  if (author !== 'person') return edit.start <= end && start <= edit.end;
  return start < edit.end && edit.start < end;
}

/** Joins the pieces that an edit changes into one hunk, then splits that into its smallest hunks. */
function merged(pieces: readonly Piece[], edit: LineEdit, start: number, author: Author, nextId: NextId): Piece[] {
  const only = pieces.length === 1 && pieces[0]!.kind === 'hunk' ? pieces[0] : undefined;
  // A single hunk reuses its arrays, because the difference between them is cached.
  const baseline = only?.baseline ?? linesOn(pieces, 'baseline');
  const before = only?.current ?? linesOn(pieces, 'current');
  const current = withLineEdits(before, [{ ...edit, start: edit.start - start, end: edit.end - start }]);
  const first = pieces.find((piece) => piece.kind === 'hunk');
  const agent = author === 'person' ? (only?.agent ?? linesOn(pieces, 'agent')) : rewritten(pieces, before, current);
  const { turn, order } = author === 'person' ? first! : author;
  const whole: HunkPiece = {
    kind: 'hunk',
    id: first?.id ?? nextId(),
    turn,
    order,
    baseline,
    agent,
    current,
    conflicted: first?.conflicted ?? false,
  };
  // If there was no hunk before, the edit is already minimal.
  if (!first) return [whole];
  const steps = joinedSteps(pieces, author !== 'person');
  const after =
    author === 'person' ? steps : [...steps.filter((step) => step.order !== order), { turn, order, lines: agent }];
  const result = refined(withSteps(whole, after), nextId);
  // Undone lines belong to the user. Only the agent's own lines make it a hunk again.
  const wasUndone = author === 'person' && pieces.every((piece) => piece.kind === 'same' || isRejected(piece));
  return wasUndone
    ? result.map((piece) =>
        piece.kind === 'hunk' && !isUntouched(piece) && !isRejected(piece) ? same(piece.current) : piece,
      )
    : result;
}

/**
 * The agent's lines after it wrote `current`. The agent saw the lines of before, but the user's edits in them remain
 * the user's.
 */
function rewritten(pieces: readonly Piece[], before: readonly string[], current: readonly string[]): string[] {
  // Rejected lines are no longer the agent's when it writes there again.
  const agent = pieces.flatMap((piece) =>
    piece.kind === 'same' ? piece.lines : isRejected(piece) ? piece.current : piece.agent,
  );
  if (sameLines(agent, before)) return [...current];
  const { lines, overlaps } = mergeLines(before, current, agent);
  if (overlaps.length === 0) return lines;
  // If the agent overwrote some of the user's lines, the rest of them stay the user's.
  const typed = withLineEdits(
    agent.map(() => false),
    marked(editsOfLines(agent, before), true),
  );
  const left = withLineEdits(typed, marked(editsOfLines(before, current), false));
  return current.filter((_, i) => !left[i]);
}

/** Turns edits of lines into edits of one mark per line: each new line gets `mark`. */
function marked(edits: readonly LineEdit[], mark: boolean): LineEdit<boolean>[] {
  return edits.map((edit) => ({ ...edit, lines: edit.lines.map(() => mark) }));
}

/**
 * Splits a hunk into its smallest hunks: lines on which agent and baseline agree become unchanged pieces that include
 * the user's edits.
 */
export function refined(piece: HunkPiece, nextId: NextId): Piece[] {
  const { earlier = [] } = piece;
  const sides = [piece.baseline, piece.current, ...earlier.map(({ lines }) => lines)].map((lines) =>
    knownEdits(piece.agent, lines),
  );
  const result: Piece[] = [];
  let at = 0;
  let isFirst = true;
  for (const group of groupsOfEdits(sides)) {
    const { start, end } = group;
    const [baseline, current, ...older] = group.edits;
    result.push(same(piece.agent.slice(at, start)));
    const isWhole = start === 0 && end === piece.agent.length;
    const lines = isWhole ? piece.agent : piece.agent.slice(start, end);
    const within = (edits: readonly LineEdit[]) => partWithEdits(piece.agent, group, edits);
    if (baseline!.length === 0) {
      result.push(same(within(current!)));
    } else {
      const part = {
        ...piece,
        id: isFirst ? piece.id : nextId(),
        baseline: isWhole ? piece.baseline : within(baseline!),
        agent: lines,
        current: within(current!),
      };
      const { turn, order } = piece;
      const hunk =
        earlier.length === 0 || isWhole
          ? part
          : withSteps(part, [
              ...earlier.map((step, i) => ({ ...step, lines: within(older[i]!) })),
              { turn, order, lines },
            ]);
      result.push({ ...hunk, conflicted: piece.conflicted && !isUntouched(hunk) && !isRejected(hunk) });
      isFirst = false;
    }
    at = end;
  }
  result.push(same(piece.agent.slice(at)));
  return result;
}

function linesNow(piece: Piece): number {
  return piece.kind === 'same' ? piece.lines.length : piece.current.length;
}
