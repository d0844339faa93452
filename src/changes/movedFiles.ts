import type { Change } from './hunk';
import type { SessionChanges } from './scope';

/** The change of a moved file. It also stands for the change at the old path. */
export interface MovedChange extends Change {
  readonly from: string;
}

/** The part of a change, or of a row in a list, that is needed to join moves. */
interface Movable {
  readonly path: string;
  readonly kind: string;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
}

/**
 * Joins the deletion and the creation of a moved file into one change that counts only the lines that differ.
 * @param movedFrom the earlier path of a file; undefined if it was not moved.
 * @param joined gets the change at the new path, the change at the old path, and the line counts of both together.
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

/** Joins moves in each session. A joined change has no hunks, because moving a file changes none of its lines. */
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

/** The path of a changed file before it was moved. */
export function originOf(change: Change): string | undefined {
  return 'from' in change ? (change as MovedChange).from : undefined;
}

/**
 * Finds moved files: one file is deleted and another is created with the same content. If several have this content,
 * one with the same name is preferred, then the first.
 */
export class Renames {
  readonly #gone = new Map<string, string[]>();
  readonly #come = new Map<string, string[]>();
  readonly #from = new Map<string, string>();

  /**
   * Notes a change of a file. Contents may be any text that tells them apart.
   * @param before the earlier content; undefined if the file did not exist.
   * @param after the new content; undefined if the file is gone.
   */
  note(path: string, before: string | undefined, after: string | undefined): void {
    // Empty files cannot be told apart by their content.
    if (before !== undefined && before !== '' && after === undefined) {
      const to = this.#partnerOf(path, before, this.#gone, this.#come);
      if (to !== undefined) this.#from.set(to, path);
    } else if (before === undefined && after !== undefined && after !== '') {
      const from = this.#partnerOf(path, after, this.#come, this.#gone);
      if (from !== undefined) this.#from.set(path, from);
    }
  }

  /** The earlier path of a file; undefined if it was not moved. */
  readonly fromOf = (path: string): string | undefined => this.#from.get(path);

  /** All known moves, from the new path to the old one. */
  get moves(): ReadonlyMap<string, string> {
    return this.#from;
  }

  /** Takes over moves from an earlier run. */
  restore(moves: ReadonlyMap<string, string>): void {
    for (const [path, from] of moves) if (!this.#from.has(path)) this.#from.set(path, from);
  }

  /** The user renamed a file or a folder. */
  moved(from: string, to: string): void {
    const moves = [...this.#from];
    this.#from.clear();
    // Moved files are set last, because they replace files that had their new name.
    for (const isMoved of [false, true])
      for (const [path, origin] of moves)
        if (isUnder(path, from) === isMoved) this.#from.set(movedPath(path, from, to), movedPath(origin, from, to));
  }

  /** Ends the matching: files noted so far are no longer paired with later ones. */
  endRound(): void {
    this.#gone.clear();
    this.#come.clear();
  }

  /** Takes one of the other files with this content. If there is none, the file is noted for a later one. */
  #partnerOf(
    path: string,
    content: string,
    own: Map<string, string[]>,
    others: Map<string, string[]>,
  ): string | undefined {
    const candidates = others.get(content) ?? [];
    const name = nameOf(path);
    const other = candidates.find((candidate) => nameOf(candidate) === name) ?? candidates[0];
    if (other === undefined) own.set(content, [...(own.get(content) ?? []), path]);
    else candidates.splice(candidates.indexOf(other), 1);
    return other;
  }
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** True if a path is the folder itself or inside it. Paths may have either kind of slash. */
export function isUnder(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && (path[folder.length] === '/' || path[folder.length] === '\\'));
}

/** The path after a file or folder was renamed; unchanged if it is not affected. */
export function movedPath(path: string, from: string, to: string): string {
  return isUnder(path, from) ? to + path.slice(from.length) : path;
}
