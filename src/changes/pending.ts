import type { Change, Hunk } from './hunk';
import { sum } from './lineEdits';
import type { Scope, SessionChanges } from './scope';

/** The pending changes of one file in a scope. */
export interface PendingFile {
  readonly sessionId: string;
  readonly path: string;
  readonly change: Change;
  /** None if the change is the file as a whole. */
  readonly hunks: readonly Hunk[];
  /** Lines. */
  readonly added: number;
  readonly removed: number;
}

/** Counts of pending changes in a scope. */
export interface PendingCount {
  readonly files: number;
  /** Hunks, and files that are a change as a whole. */
  readonly changes: number;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
}

/**
 * The pending changes in a scope: the one definition for cards, turns, the bar, the tree, the status bar and badges. A
 * hunk is pending in a turn as long as any of the turn's lines in it remain.
 */
export function pendingIn(sessions: readonly SessionChanges[], { sessionId, turn, path }: Scope): PendingFile[] {
  return sessions.flatMap((session) => {
    if (sessionId !== undefined && session.sessionId !== sessionId) return [];
    const changes = path === undefined ? session.changes : session.changes.filter((change) => change.path === path);
    if (turn === undefined) return changes.map((change) => pendingOf(session.sessionId, change));
    return changes.flatMap((change) => pendingOfTurn(session.sessionId, change, turn) ?? []);
  });
}

/** All pending changes of one file in one session. */
export function pendingOf(sessionId: string, change: Change): PendingFile {
  const { path, hunks, added, removed } = change;
  return { sessionId, path, change, hunks, added, removed };
}

/**
 * The remaining changes of one turn in a file; undefined if there are none.
 * @param turn undefined means an unknown turn
 */
export function pendingOfTurn(sessionId: string, change: Change, turn: string | undefined): PendingFile | undefined {
  if (change.hunks.length === 0) return change.turn === turn ? pendingOf(sessionId, change) : undefined;
  const own = (hunk: Hunk) => hunk.parts.filter((part) => part.turn === turn);
  const hunks = change.hunks.filter((hunk) => own(hunk).length > 0);
  return hunks.length === 0 ? undefined : { sessionId, path: change.path, change, hunks, ...sum(hunks.flatMap(own)) };
}

/** The turns with a pending change in a file, in the order in which they changed it. */
export function turnsIn({ hunks, turn }: Change): ReadonlySet<string | undefined> {
  return new Set(hunks.length === 0 ? [turn] : hunks.flatMap(({ parts }) => parts.map((part) => part.turn)));
}

/** Counts pending files. A file that several sessions changed counts once. */
export function countOf(files: readonly PendingFile[]): PendingCount {
  const changes = files.reduce((count, { hunks }) => count + Math.max(1, hunks.length), 0);
  return { files: new Set(files.map(({ path }) => path)).size, changes, ...sum(files) };
}
