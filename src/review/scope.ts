import type { Change, Hunk } from './hunk';
import type { Place } from './places';

/** Which of all changes are meant: everything, or what all that is given here has in common. */
export interface Scope {
  readonly sessionId?: string | undefined;
  /** See `Hunk.turn`. */
  readonly turn?: string | undefined;
  readonly path?: string | undefined;
}

/** The changes of one session. */
export interface SessionChanges {
  readonly sessionId: string;
  readonly changes: readonly Change[];
}

/** One file of one session, and what of it is meant. */
export interface Target {
  readonly sessionId: string;
  readonly path: string;
  /** Ids of hunks; undefined for the file as a whole. */
  readonly ids: readonly string[] | undefined;
}

/** What a turn did to a file and is still there: its hunks, or the file as a whole where that has none. */
export function ofTurn({ hunks, turn: last }: Change, turn: string | undefined): { readonly isPart: boolean; readonly hunks: readonly Hunk[] } {
  const mine = hunks.filter((hunk) => hunk.turn === turn);
  return { isPart: hunks.length === 0 ? last === turn : mine.length > 0, hunks: mine };
}

/** The files of a scope, in the order of the sessions. A file of which all hunks are meant is meant as a whole. */
export function targetsIn(sessions: readonly SessionChanges[], { sessionId, turn, path }: Scope): Target[] {
  const targets: Target[] = [];
  for (const session of sessions) {
    if (sessionId !== undefined && session.sessionId !== sessionId) continue;
    for (const change of session.changes) {
      if (path !== undefined && change.path !== path) continue;
      const { isPart, hunks } = turn === undefined ? { isPart: true, hunks: change.hunks } : ofTurn(change, turn);
      if (!isPart) continue;
      const isWhole = hunks.length === change.hunks.length;
      targets.push({ sessionId: session.sessionId, path: change.path, ids: isWhole ? undefined : hunks.map(({ id }) => id) });
    }
  }
  return targets;
}

/** The same for places that were chosen one by one. */
export function targetsOf(places: readonly Place[]): Target[] {
  const targets = new Map<string, { sessionId: string; path: string; ids: string[] | undefined }>();
  for (const { sessionId, path, hunk } of places) {
    const key = `${sessionId}\0${path}`;
    const target = targets.get(key) ?? { sessionId, path, ids: [] };
    targets.set(key, target);
    if (hunk) target.ids?.push(hunk.id);
    else target.ids = undefined;
  }
  return [...targets.values()];
}
