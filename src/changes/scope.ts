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
  /** The change as it was when it was chosen, where what has come since is not meant. */
  readonly asOf?: Change;
}

/**
 * Remembers what is known of targets, for the time until a question is answered.
 * @param known another value once something has changed.
 * @returns gives those of which the same is known then.
 */
export function remember(targets: readonly Target[], known: (target: Target) => unknown): () => Target[] {
  const before = targets.map(known);
  return () => targets.filter((target, i) => known(target) === before[i]);
}

/**
 * What of a target is meant still, where it has `asOf`: a file as a whole that has not changed, and hunks that no later
 * turn has touched and in which the user has nothing to choose. Undefined where that is nothing.
 */
export function stillAsChosen({ ids, asOf }: Pick<Target, 'ids' | 'asOf'>, now: Change | undefined): Pick<Target, 'ids'> | undefined {
  if (!asOf) return { ids };
  if (!ids) return now === asOf ? { ids } : undefined;
  const turns = new Map(asOf.hunks.map(({ id, turn }) => [id, turn]));
  const same = new Set(now?.hunks.filter(({ id, state, turn }) => state === 'pending' && turns.has(id) && turns.get(id) === turn).map(({ id }) => id));
  const meant = ids.filter((id) => same.has(id));
  return meant.length > 0 ? { ids: meant } : undefined;
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

/** The same for places that were chosen one by one. @param places `asOf` as in `Target` */
export function targetsOf(places: readonly (Place & Pick<Target, 'asOf'>)[]): Target[] {
  const targets = new Map<string, Target & { ids: string[] | undefined }>();
  for (const { sessionId, path, hunk, asOf } of places) {
    const key = `${sessionId}\0${path}`;
    const target = targets.get(key) ?? { sessionId, path, ids: [], ...(asOf ? { asOf } : {}) };
    targets.set(key, target);
    if (hunk) target.ids?.push(hunk.id);
    else target.ids = undefined;
  }
  return [...targets.values()];
}
