import type { Decision } from './decision';
import type { Change, Hunk } from './hunk';
import { pendingOfTurn, turnsIn } from './pending';

/** Counts of decisions on the changes that one tool call made in a file. */
export interface FileTally {
  readonly path: string;
  /** See `Hunk.turns`. */
  readonly turn: string | undefined;
  /** The tool call whose card shows the counts; undefined if no call reported a diff for the file. */
  readonly call: string | undefined;
  readonly pending: number;
  readonly kept: number;
  readonly undone: number;
}

/** Lines that a diff added and removed. */
export interface DiffLines {
  readonly came: ReadonlySet<string>;
  readonly went: ReadonlySet<string>;
}

/** The diff that a tool call reported for a file. */
export interface CallDiff extends DiffLines {
  readonly call: string;
}

type Verdict = 'pending' | 'kept' | 'undone';
/** One item that is or was pending: the change of a turn in a hunk, or in the file as a whole. */
type Mark = { readonly verdict: Verdict; readonly turn: string | undefined; readonly hunk: Hunk | undefined };

/** Counts decisions on each file of a session. Decisions of an earlier window are not included. */
export class Tally {
  readonly #decided = new Map<string, Map<string, Mark>>();

  add({ path, verdict, hunks, change, of }: Decision): void {
    const marks = this.#decided.get(path) ?? new Map<string, Mark>();
    this.#decided.set(path, marks);
    for (const [id, mark] of marksIn({ ...change, hunks }, verdict === 'undone' ? 'undone' : 'kept')) {
      if (!of || of.turn === mark.turn) marks.set(id, mark);
    }
  }

  /**
   * Counts decisions by file, turn and tool call.
   * @param changes the pending changes. A decided item that is pending again counts as pending.
   * @param diffsOf the diffs that the calls of a turn reported for a file, the first call first. Each hunk counts only
   * for the last call that made it.
   */
  files(
    changes: readonly Change[],
    diffsOf: (path: string, turn: string | undefined) => readonly CallDiff[] = () => [],
  ): FileTally[] {
    const open = new Map(changes.map((change) => [change.path, marksIn(change, 'pending')]));
    return [...new Set([...open.keys(), ...this.#decided.keys()])].flatMap((path): FileTally[] => {
      const decided = this.#decided.get(path);
      const pending = open.get(path);
      for (const id of pending?.keys() ?? []) decided?.delete(id);
      const marks = [...(pending?.values() ?? []), ...(decided?.values() ?? [])];
      return [...new Set(marks.map(({ turn }) => turn))].flatMap((turn) => {
        const diffs = diffsOf(path, turn);
        const tallies = new Map<string | undefined, Record<Verdict, number>>();
        for (const { verdict, hunk } of marks.filter((mark) => mark.turn === turn)) {
          const call = (hunk && callOf(hunk, diffs)) ?? diffs.at(-1)?.call;
          const tally = tallies.get(call) ?? { pending: 0, kept: 0, undone: 0 };
          tallies.set(call, tally);
          tally[verdict]++;
        }
        return [...tallies].map(([call, tally]) => ({ path, turn, call, ...tally }));
      });
    });
  }
}

/**
 * The last call that reported a line of a hunk; undefined if none did.
 * @param diffs the first call first
 */
export function callOf(hunk: Hunk, diffs: readonly CallDiff[]): string | undefined {
  return diffs.findLast((diff) => isFrom(hunk, diff))?.call;
}

/** Marks by an id that stays the same while the change lasts. */
function marksIn(change: Change, verdict: Verdict): Map<string, Mark> {
  return new Map(
    [...turnsIn(change)].flatMap((turn): [string, Mark][] => {
      const hunks = pendingOfTurn('', change, turn)?.hunks ?? [];
      if (hunks.length === 0) return [[turn ?? '', { verdict, turn, hunk: undefined }]];
      return hunks.map((hunk) => [`${hunk.id} ${turn ?? ''}`, { verdict, turn, hunk }]);
    }),
  );
}

/**
 * The hunks of a file that come from one diff of an agent: they share an added or removed line with it. All hunks if
 * none does.
 * @param oldText undefined if the agent did not send it.
 */
export function hunksOfDiff(
  hunks: readonly Hunk[],
  oldText: string | undefined,
  newText: string | undefined,
): readonly Hunk[] {
  const diff = diffLines(oldText, newText);
  const own = hunks.filter((hunk) => isFrom(hunk, diff));
  return own.length > 0 ? own : hunks;
}

/** @param oldText undefined if the agent did not send it. */
export function diffLines(oldText: string | undefined, newText: string | undefined): DiffLines {
  const linesOf = (text: string | undefined) =>
    new Set(newText === undefined ? [] : text?.split(/\r?\n/).filter((line) => line.trim() !== ''));
  const [went, came] = [linesOf(oldText), linesOf(newText)];
  return {
    came: new Set([...came].filter((line) => !went.has(line))),
    went: new Set([...went].filter((line) => !came.has(line))),
  };
}

function isFrom({ agentLines, baselineLines }: Hunk, { came, went }: DiffLines): boolean {
  return agentLines.some((line) => came.has(line)) || baselineLines.some((line) => went.has(line));
}
