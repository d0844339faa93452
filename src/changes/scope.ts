import type { Change, Hunk } from './hunk';
import type { OfTurn } from './ledger';
import { pendingIn } from './pending';
import { sameLines } from './pieces';
import type { Place } from './places';

/** Selects changes: those that match all given fields, or everything if none is given. */
export interface Scope {
  readonly sessionId?: string | undefined;
  /** See `Hunk.turns`. */
  readonly turn?: string | undefined;
  readonly path?: string | undefined;
}

/** The changes of one session. */
export interface SessionChanges {
  readonly sessionId: string;
  readonly changes: readonly Change[];
}

/** One file of one session, and the part of it that is selected. */
export interface Target {
  readonly sessionId: string;
  readonly path: string;
  /** Ids of hunks; undefined for the file as a whole. */
  readonly ids: readonly string[] | undefined;
  /** Limits the target to the changes of one turn. */
  readonly of?: OfTurn;
  /** The change at the time of the choice. If it is set, later changes are not part of the target. */
  readonly asOf?: Change;
}

/**
 * The part of a target that has not changed since it was chosen, or since the user was asked: hunks with the same lines
 * and state, at any position. Changes elsewhere in the file were not part of the choice.
 */
export function stillAsAsked(target: Target, asked: Change | undefined, now: Change | undefined): Target | undefined {
  if (!asked || !now) return undefined;
  if (asked.hunks.length === 0 || now.hunks.length === 0) return isSameWhole(asked, now) ? target : undefined;
  const before = new Map(asked.hunks.map((hunk) => [hunk.id, hunk]));
  const same = now.hunks.filter(
    (hunk) => isSameHunk(hunk, before.get(hunk.id)) && (target.ids?.includes(hunk.id) ?? true),
  );
  if (same.length === 0) return undefined;
  const isAll = target.ids
    ? same.length === target.ids.length
    : same.length === now.hunks.length && same.length === asked.hunks.length;
  return isAll ? target : { ...target, ids: same.map(({ id }) => id) };
}

function isSameWhole(a: Change, b: Change): boolean {
  if (a === b) return true;
  const hasLines = a.note === undefined && b.note === undefined;
  return (
    hasLines && a.hunks.length === b.hunks.length && a.kind === b.kind && a.turn === b.turn && a.current === b.current
  );
}

function isSameHunk(a: Hunk, b: Hunk | undefined): boolean {
  return (
    a.state === b?.state &&
    (['currentLines', 'agentLines', 'baselineLines'] as const).every((side) => sameLines(a[side], b[side]))
  );
}

/**
 * The files of a scope, in the order of the sessions. If all hunks of a file are selected, the file is selected as a
 * whole. For a turn, only its own changes are selected.
 */
export function targetsIn(sessions: readonly SessionChanges[], scope: Scope): Target[] {
  return pendingIn(sessions, scope).map(({ sessionId, path, change, hunks }) => {
    if (scope.turn === undefined) return { sessionId, path, ids: undefined };
    return { sessionId, path, ...ofTurn(change, hunks, scope.turn) };
  });
}

/** The part of some hunks that one turn changed. */
export function ofTurn(change: Change, hunks: readonly Hunk[], turn: string | undefined): Pick<Target, 'ids' | 'of'> {
  const { kind, note, earlierTurns, besideTurns = [] } = change;
  const isWhole = hunks.length === change.hunks.length;
  // The hunks of a deleted file do not tell which earlier turns changed it.
  const isAloneInLines =
    kind !== 'deleted' && [...besideTurns, ...hunks.flatMap(({ turns }) => turns)].every((other) => other === turn);
  const isAlone = note === undefined ? isAloneInLines : earlierTurns === undefined;
  return {
    ids: isWhole ? undefined : hunks.map(({ id }) => id),
    ...(isAlone ? {} : { of: { turn, withOthers: false } }),
  };
}

/** Targets of places that were chosen one by one. @param places `asOf` as in `Target` */
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
