import { knownEdits, type LineEdit } from './lineDiff';
import { byPlace, isSameEdit, overlaps, withLineEdits } from './lineEdits';
import { type HunkPiece, isRejected, type Piece, type Step } from './pieces';

/** The remaining part of a turn in a hunk. */
export interface TurnPart {
  readonly turn: string | undefined;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
}

type Turns = ReadonlySet<string | undefined>;

/**
 * Limits for the turns that a hunk remembers, and for their lines. The changes of older turns count for the next turn.
 */
const MAX_STEPS = 32;
const MAX_LINES = 20_000;

/** The hunk's lines after each of its turns, the first turn first. */
export function stepsOf({ turn, order, agent, earlier = [] }: HunkPiece): readonly Step[] {
  return [...earlier, { turn, order, lines: agent }];
}

/** The rank of a turn among those that wrote to a file. */
export function orderOf(pieces: readonly Piece[], turn: string | undefined): number {
  let last: HunkPiece | undefined;
  for (const piece of pieces) if (piece.kind === 'hunk' && (!last || piece.order > last.order)) last = piece;
  if (!last) return 0;
  return last.turn === turn ? last.order : last.order + 1;
}

/**
 * The lines of several pieces together, after each turn that wrote in them.
 * @param agentWrites true if the agent writes there now: undone lines are then no longer the agent's
 */
export function joinedSteps(pieces: readonly Piece[], agentWrites: boolean): readonly Step[] {
  const only = pieces.length === 1 ? pieces[0] : undefined;
  if (only?.kind === 'hunk' && !(agentWrites && isRejected(only))) return stepsOf(only);
  const chains = pieces.map((piece) => {
    if (piece.kind === 'same') return { first: piece.lines, steps: [] };
    return agentWrites && isRejected(piece)
      ? { first: piece.current, steps: [] }
      : { first: piece.baseline, steps: stepsOf(piece) };
  });
  const turns = new Map(chains.flatMap(({ steps }) => steps.map(({ order, turn }) => [order, turn])));
  const at = (order: number) =>
    chains.flatMap(({ first, steps }) => steps.findLast((step) => step.order <= order)?.lines ?? first);
  return [...turns].sort(([a], [b]) => a - b).map(([order, turn]) => ({ turn, order, lines: at(order) }));
}

/**
 * A hunk with other lines for its turns. Turns that changed nothing are removed.
 * @param steps the last one's lines are the agent's
 */
export function withSteps(piece: HunkPiece, steps: readonly Step[]): HunkPiece {
  const agent = steps.at(-1)!.lines;
  let before = piece.baseline;
  const real = steps.filter(({ lines }) => {
    const isReal = knownEdits(before, lines).length > 0;
    if (isReal) before = lines;
    return isReal;
  });
  const { turn, order } = real.at(-1) ?? steps.at(-1)!;
  const earlier = bounded(real.slice(0, -1));
  const { earlier: _, ...rest } = piece;
  return { ...rest, turn, order, agent, ...(earlier.length > 0 ? { earlier } : {}) };
}

function bounded(steps: readonly Step[]): readonly Step[] {
  let lines = 0;
  const first = steps.findLastIndex((step) => (lines += step.lines.length) > MAX_LINES);
  return steps.slice(first + 1).slice(-MAX_STEPS);
}

/**
 * The remaining part of each turn in a hunk: lines that it added and no later turn replaced, and lines that it removed.
 * The last turn's part is complete.
 */
export function partsOfPiece(piece: HunkPiece): readonly TurnPart[] {
  const edits: {
    readonly turn: string | undefined;
    added: number;
    readonly removed: number;
    readonly isDeletion: boolean;
  }[] = [];
  /** For each line, the index of the edit that added it; -1 for lines of the baseline. */
  let owners: readonly number[] = piece.baseline.map(() => -1);
  let before = piece.baseline;
  for (const { turn, lines } of stepsOf(piece)) {
    const own = knownEdits(before, lines).map((edit): LineEdit<number> => {
      const id =
        edits.push({ turn, added: 0, removed: edit.end - edit.start, isDeletion: edit.lines.length === 0 }) - 1;
      return { ...edit, lines: edit.lines.map(() => id) };
    });
    owners = withLineEdits(owners, own);
    before = lines;
  }
  for (const id of owners) if (id >= 0) edits[id]!.added++;
  const parts = new Map<string | undefined, TurnPart>();
  for (const { turn, added, removed, isDeletion } of edits) {
    if (added === 0 && !isDeletion) continue;
    const part = parts.get(turn);
    parts.set(turn, { turn, added: added + (part?.added ?? 0), removed: removed + (part?.removed ?? 0) });
  }
  return [...parts.values()];
}

/** Later turns that built on the lines of `turns`. Undo of `turns` has to include them. */
export function builtOn(piece: HunkPiece, turns: Turns): Turns {
  const removed = new Set(turns);
  for (;;) {
    const { failed } = withoutTurns(piece, removed);
    if (!failed) return new Set([...removed].filter((turn) => !turns.has(turn)));
    removed.add(failed.turn);
  }
}

/** Earlier turns on whose lines `turns` built. Keep of `turns` has to include them. */
export function buildsOn(piece: HunkPiece, turns: Turns): Turns {
  const steps = stepsOf(piece);
  const kept = new Set(turns);
  const all = steps.map(({ turn }) => turn);
  /** The first step that cannot be built from the kept turns, optionally with one more turn. */
  const failsWith = (also?: Step) =>
    withoutTurns(piece, new Set(all.filter((turn) => !kept.has(turn) && (!also || turn !== also.turn)))).failed;
  for (;;) {
    const failed = failsWith();
    if (!failed) return new Set([...kept].filter((turn) => !turns.has(turn)));
    const below = steps
      .slice(
        0,
        steps.findIndex(({ order }) => order === failed.order),
      )
      .filter(({ turn }) => !kept.has(turn));
    kept.add((below.findLast((step) => failsWith(step)?.order !== failed.order) ?? below.at(-1))?.turn);
  }
}

/**
 * The lines after each other turn, as if some turns had never happened. `failed`: a step that needs the lines of those
 * turns.
 */
export function withoutTurns(
  piece: HunkPiece,
  turns: Turns,
): { readonly steps: readonly Step[]; readonly failed?: Step } {
  let [was, now] = [piece.baseline, piece.baseline];
  const steps: Step[] = [];
  for (const step of stepsOf(piece)) {
    if (!turns.has(step.turn)) {
      const moved = rebased(was, now, step.lines);
      if (!moved) return { steps, failed: step };
      now = moved;
      steps.push({ ...step, lines: now });
    }
    was = step.lines;
  }
  return { steps };
}

/**
 * A hunk after the user kept some turns, which build on no others: their lines become part of the baseline, including
 * the user's edits in them.
 */
export function withKeptTurns(piece: HunkPiece, turns: Turns): HunkPiece {
  const steps = stepsOf(piece);
  const others = steps.filter(({ turn }) => !turns.has(turn));
  const baseline = withoutTurns(piece, new Set(others.map(({ turn }) => turn))).steps.at(-1)?.lines ?? piece.baseline;
  const left = others.flatMap((step): readonly Step[] => {
    const later = new Set(others.filter(({ order }) => order > step.order).map(({ turn }) => turn));
    const lines = later.has(step.turn) ? undefined : withoutTurns(piece, later);
    return lines && !lines.failed ? [{ ...step, lines: lines.steps.at(-1)!.lines }] : [];
  });
  const pending = knownEdits(piece.agent, baseline);
  const typed = knownEdits(piece.agent, piece.current).filter(
    (edit) => !pending.some((other) => overlaps(edit, other)),
  );
  const agent = withLineEdits(piece.agent, typed);
  const withTyped = (lines: readonly string[]) => rebased(piece.agent, lines, agent);
  const last = left.at(-1) ?? steps.at(-1)!;
  const earlier = left.slice(0, -1).flatMap((step) => {
    const lines = withTyped(step.lines);
    return lines ? [{ ...step, lines }] : [];
  });
  return withSteps({ ...piece, baseline: withTyped(baseline) ?? baseline, conflicted: false }, [
    ...earlier,
    { ...last, lines: agent },
  ]);
}

/** A hunk without some turns, on which no others build; undefined if the user has edited the lines of those turns. */
export function withUndoneTurns(piece: HunkPiece, turns: Turns): HunkPiece | undefined {
  const { steps } = withoutTurns(piece, turns);
  const agent = steps.at(-1)?.lines ?? piece.baseline;
  const undone = knownEdits(piece.agent, agent);
  const typed = knownEdits(piece.agent, piece.current);
  if (typed.some((edit) => undone.some((other) => overlaps(edit, other)))) return undefined;
  const current = rebased(piece.agent, agent, piece.current);
  return current && withSteps({ ...piece, current, conflicted: false }, steps);
}

/** Applies the edits from `base` to `theirs` to `mine`. Undefined if both changed the same lines. */
function rebased(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): readonly string[] | undefined {
  if (base === mine) return theirs;
  const own = knownEdits(base, mine);
  const fresh = knownEdits(base, theirs).filter((edit) => !own.some((other) => isSameEdit(edit, other)));
  if (fresh.some((edit) => own.some((other) => collide(edit, other)))) return undefined;
  return withLineEdits(base, [...own, ...fresh].sort(byPlace));
}

/** Insertions at the edge of other lines do not collide, because their side is known. */
function collide(a: LineEdit, b: LineEdit): boolean {
  if (a.start === a.end && b.start === b.end) return a.start === b.start;
  return a.start < b.end && b.start < a.end;
}
