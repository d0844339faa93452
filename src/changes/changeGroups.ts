import { groupedBy } from '../base/groupedBy';
import type { Change, Hunk } from './hunk';
import { sum } from './lineEdits';
import { type PendingFile, pendingOf, pendingOfTurn, turnsIn } from './pending';
import type { SessionChanges } from './scope';
import { clip } from '../base/oneLine';

/** How the tree of changes is put together below its sessions. */
export type GroupBy = 'file' | 'turn';

interface Counted {
  /** Stays the same for the same item, whatever else has changed. */
  readonly id: string;
  readonly sessionId: string;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
}

/** All changes of a session, or of one turn in it. */
export interface ChangeGroup extends Counted {
  readonly kind: 'session' | 'turn';
  /**
   * The turn of a group; see `Hunk.turns`. Undefined in a group of kind `turn`: the turn of these changes is not known.
   */
  readonly turn?: string | undefined;
  /** Number of files; a file that several turns have touched counts once. */
  readonly files: number;
  readonly children: readonly (ChangeGroup | ChangedFile)[];
}

/** A file, or the changes of one turn in it. */
export interface ChangedFile extends PendingFile {
  readonly kind: 'file';
  readonly id: string;
  /** The turn that the file is listed under. */
  readonly turn?: string | undefined;
  readonly isOfTurn: boolean;
}

/**
 * The top level of the tree: sessions if there are several, otherwise turns or files. Files keep their order; the
 * latest turn comes first.
 */
export function changeGroups(sessions: readonly SessionChanges[], by: GroupBy): readonly (ChangeGroup | ChangedFile)[] {
  const pending = sessions.filter(({ changes }) => changes.length > 0);
  const inside = ({ sessionId, changes }: SessionChanges) =>
    by === 'turn'
      ? groupsOfTurns(sessionId, changes)
      : changes.map((change): ChangedFile => ({
          ...pendingOf(sessionId, change),
          kind: 'file',
          id: `${sessionId} ${change.path}`,
          isOfTurn: false,
        }));
  if (pending.length === 1) return inside(pending[0]!);
  return pending.map((session): ChangeGroup => ({
    kind: 'session',
    id: session.sessionId,
    sessionId: session.sessionId,
    files: session.changes.length,
    children: inside(session),
    ...sum(session.changes),
  }));
}

function groupsOfTurns(sessionId: string, changes: readonly Change[]): ChangeGroup[] {
  const files = changes.flatMap((change) =>
    Array.from(turnsIn(change), (turn): ChangedFile => ({
      ...pendingOfTurn(sessionId, change, turn)!,
      kind: 'file',
      id: `${sessionId} ${turn ?? ''} ${change.path}`,
      turn,
      isOfTurn: true,
    })),
  );
  const groups = Array.from(
    groupedBy(files, ({ turn }) => turn),
    ([turn, children]): ChangeGroup => ({
      kind: 'turn',
      id: `${sessionId} ${turn ?? ''}`,
      sessionId,
      turn,
      files: children.length,
      children,
      ...sum(children),
    }),
  );
  return groups.sort((a, b) => numberOf(b.turn) - numberOf(a.turn));
}

/** Ids of entries end with their position in the session. */
function numberOf(turn: string | undefined): number {
  return Number(/\d+$/.exec(turn ?? '')?.[0] ?? -1);
}

/** The label of a hunk: the first text among its current lines, otherwise among the removed ones. */
export function firstText({ currentLines, baselineLines }: Hunk): string {
  const text = [...currentLines, ...baselineLines].find((line) => line.trim() !== '')?.trim() ?? '';
  return clip(text, MAX_TEXT);
}

const MAX_TEXT = 120;
