import type { Decision } from './decision';
import type { Change, Hunk } from './hunk';
import { pendingOfTurn, turnsIn } from './pending';

/** What became of what one call of an agent has changed in a file so far. */
export interface FileTally {
  readonly path: string;
  /** See `Hunk.turns`. */
  readonly turn: string | undefined;
  /** The call whose card tells it; undefined where no call told what it changed in the file. */
  readonly call: string | undefined;
  readonly pending: number;
  readonly kept: number;
  readonly undone: number;
}

/** Lines that came and went with a diff. */
export interface DiffLines {
  readonly came: ReadonlySet<string>;
  readonly went: ReadonlySet<string>;
}

/** What a call says that it changed in a file. */
export interface CallDiff extends DiffLines {
  readonly call: string;
}

type Verdict = 'pending' | 'kept' | 'undone';
/** One thing that is or was to decide: what a turn did in a hunk, or to the file as a whole. */
type Mark = { readonly verdict: Verdict; readonly turn: string | undefined; readonly hunk: Hunk | undefined };

/** Counts what was decided in each file of a session. What was decided in an earlier window is not known any more. */
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
   * @param changes what is pending now: what was decided and is pending again is not decided.
   * @param diffsOf what the calls of a turn say that they changed in a file, the first call first. Each hunk counts for
   * the
   *   last call that made it, so that it is counted once.
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
          const { call } = (hunk && diffs.findLast((diff) => isFrom(hunk, diff))) ??
            diffs.at(-1) ?? { call: undefined };
          const tally = tallies.get(call) ?? { pending: 0, kept: 0, undone: 0 };
          tallies.set(call, tally);
          tally[verdict]++;
        }
        return [...tallies].map(([call, tally]) => ({ path, turn, call, ...tally }));
      });
    });
  }
}

/** By a name that lasts. */
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
 * Those of a file's hunks that come from one diff of an agent: they have a line that came with it or went with it. All
 * of them where that cannot be told.
 * @param oldText undefined where the agent did not send it.
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

/** @param oldText undefined where the agent did not send it. */
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
