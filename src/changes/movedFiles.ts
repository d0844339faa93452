import type { Change } from './hunk';
import { isUnder, movedPath } from './movedPath';
import type { SessionChanges } from './scope';

/** A change of a file that was moved: it stands for the one where the file was, too. */
export interface MovedChange extends Change {
  readonly from: string;
}

/** What is joined: changes, or the rows of a list. */
interface Movable {
  readonly path: string;
  readonly kind: string;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
}

/**
 * Makes one change of a file that is gone and one that came in its place. It counts what differs between the two.
 * @param movedFrom where a file was before; undefined where it was not moved.
 * @param joined gets the change where the file is, the change where it was, and the lines of both together.
 */
export function joinMoves<T extends Movable>(
  changes: readonly T[],
  movedFrom: (path: string) => string | undefined,
  joined: (change: T, old: T, lines: Pick<T, 'added' | 'removed'>) => T,
): readonly T[] {
  const left = new Map(changes.filter(({ kind }) => kind === 'deleted').map((change) => [change.path, change]));
  const gone = new Set<string>();
  const rows = changes.map((change): T => {
    const from = change.kind === 'created' ? movedFrom(change.path) : undefined;
    const old = from === undefined ? undefined : left.get(from);
    if (!old || gone.has(old.path)) return change;
    gone.add(old.path);
    return joined(change, old, {
      added: Math.max(0, change.added - old.removed),
      removed: Math.max(0, old.removed - change.added),
    });
  });
  return gone.size === 0 ? changes : rows.filter(({ path }) => !gone.has(path));
}

/** The same in each session. A change that was joined has no hunks, because moving a file changes none of its lines. */
export function withMoves(
  sessions: readonly SessionChanges[],
  movedFrom: (path: string) => string | undefined,
): readonly SessionChanges[] {
  return sessions.map(({ sessionId, changes }) => ({
    sessionId,
    changes: joinMoves<Change | MovedChange>(changes, movedFrom, (change, old, lines) => ({
      ...change,
      ...lines,
      from: old.path,
      hunks: [],
    })),
  }));
}

/** Where a file of a change was before it was moved. */
export function originOf(change: Change): string | undefined {
  return 'from' in change ? (change as MovedChange).from : undefined;
}

/**
 * Which files were moved: one is gone and another has come with the same content. Of several with this content the one
 * of the same name is meant, else the first.
 */
export class Renames {
  readonly #gone = new Map<string, string[]>();
  readonly #come = new Map<string, string[]>();
  readonly #from = new Map<string, string>();

  /**
   * @param before what the file held,
   * @param after what it holds; undefined where there is none. Any text that tells contents apart.
   */
  note(path: string, before: string | undefined, after: string | undefined): void {
    // Empty files have nothing by which to know them.
    if (before !== undefined && before !== '' && after === undefined)
      this.#pair(path, before, this.#gone, this.#come, (other) => this.#from.set(other, path));
    else if (before === undefined && after !== undefined && after !== '')
      this.#pair(path, after, this.#come, this.#gone, (other) => this.#from.set(path, other));
  }

  /** Where the file at `path` was before; undefined where it was not moved. */
  readonly fromOf = (path: string): string | undefined => this.#from.get(path);

  /** All moves that are known, from where each file is to where it was. */
  get moves(): ReadonlyMap<string, string> {
    return this.#from;
  }

  /** Takes over what was known in an earlier run. */
  restore(moves: ReadonlyMap<string, string>): void {
    for (const [path, from] of moves) if (!this.#from.has(path)) this.#from.set(path, from);
  }

  /** The user has given a file or a folder another name. */
  moved(from: string, to: string): void {
    const moves = [...this.#from];
    this.#from.clear();
    // What was moved takes the place of what had its name.
    for (const isMoved of [false, true])
      for (const [path, origin] of moves)
        if (isUnder(path, from) === isMoved) this.#from.set(movedPath(path, from, to), movedPath(origin, from, to));
  }

  /** Nothing that was noted so far can find its counterpart any more. */
  endRound(): void {
    this.#gone.clear();
    this.#come.clear();
  }

  #pair(
    path: string,
    content: string,
    own: Map<string, string[]>,
    others: Map<string, string[]>,
    found: (other: string) => void,
  ): void {
    const candidates = others.get(content) ?? [];
    const name = nameOf(path);
    const other = candidates.find((candidate) => nameOf(candidate) === name) ?? candidates[0];
    if (other === undefined) {
      own.set(content, [...(own.get(content) ?? []), path]);
      return;
    }
    others.set(
      content,
      candidates.filter((candidate) => candidate !== other),
    );
    found(other);
  }
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
