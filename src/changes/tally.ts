import type { Decision } from './decision';
import type { Change, Hunk } from './hunk';

/** What became of what one turn of an agent has changed in a file so far. */
export interface FileTally {
  readonly path: string;
  /** See `Hunk.turn`. */
  readonly turn: string | undefined;
  readonly pending: number;
  readonly kept: number;
  readonly undone: number;
}

type Mark = { readonly verdict: 'kept' | 'undone'; readonly turn: string | undefined };

/** Counts what was decided in each file of a session. What was decided in an earlier window is not known any more. */
export class Tally {
  readonly #decided = new Map<string, Map<string, Mark>>();

  add({ path, verdict, hunks, change }: Decision): void {
    const marks = this.#decided.get(path) ?? new Map<string, Mark>();
    this.#decided.set(path, marks);
    for (const { id, turn } of partsOf({ hunks, turn: change.turn })) marks.set(id, { verdict: verdict === 'undone' ? 'undone' : 'kept', turn });
  }

  /** @param changes what waits now: what was decided and waits again is not decided. */
  files(changes: readonly Change[]): FileTally[] {
    const open = new Map(changes.map((change) => [change.path, partsOf(change)]));
    return [...new Set([...open.keys(), ...this.#decided.keys()])].flatMap((path): FileTally[] => {
      const pending = open.get(path) ?? [];
      const marks = this.#decided.get(path);
      for (const { id } of pending) marks?.delete(id);
      const decided = [...(marks?.values() ?? [])];
      const count = (all: readonly { readonly turn: string | undefined }[], of: string | undefined) => all.filter(({ turn }) => turn === of).length;
      return [...new Set([...pending, ...decided].map(({ turn }) => turn))].map((turn) => {
        const kept = count(decided.filter(({ verdict }) => verdict === 'kept'), turn);
        return { path, turn, pending: count(pending, turn), kept, undone: count(decided, turn) - kept };
      });
    });
  }
}

/** What can be decided of a file: its hunks, or the file, where it is gone or empty. */
function partsOf({ hunks, turn }: Pick<Change, 'hunks' | 'turn'>): readonly { readonly id: string; readonly turn: string | undefined }[] {
  return hunks.length === 0 ? [{ id: '', turn }] : hunks;
}

/**
 * Those of a file's hunks that come from one diff of an agent: they have a line that came with it or went with it. All of
 * them where that cannot be told.
 * @param oldText undefined where the agent did not send it.
 */
export function hunksOfDiff(hunks: readonly Hunk[], oldText: string | undefined, newText: string | undefined): readonly Hunk[] {
  if (newText === undefined) return hunks;
  const old = new Set((oldText ?? '').split(/\r?\n/));
  const fresh = new Set(newText.split(/\r?\n/));
  const isOwn = (line: string, on: ReadonlySet<string>, off: ReadonlySet<string>) => line.trim() !== '' && on.has(line) && !off.has(line);
  const own = hunks.filter(({ agentLines, baselineLines }) => agentLines.some((line) => isOwn(line, fresh, old)) || baselineLines.some((line) => isOwn(line, old, fresh)));
  return own.length > 0 ? own : hunks;
}
