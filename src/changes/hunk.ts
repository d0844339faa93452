import type { TurnPart } from './turnSteps';

/**
 * The state of a hunk. `pending`: the user has not decided. `conflicted`: the user chose Undo but had edited the same
 * lines, so the user has to choose a version. `rejected`: the file has the baseline's lines again; the hunk is
 * remembered because Ctrl+Z or a command may restore it. A kept hunk no longer exists: it is part of the baseline.
 */
export type HunkState = 'pending' | 'conflicted' | 'rejected';

/**
 * Lines `start` … before `end`, 0-based, counted as an editor does: a text that ends with a line feed has one more,
 * empty line. Empty if lines were only inserted on the other side.
 */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** One region in which the agent made a file differ from its baseline. */
export interface Hunk {
  /** Stable during the life of the hunk, unique in its ledger. */
  readonly id: string;
  readonly state: HunkState;
  /**
   * The turns that changed lines here, the first one first, each by the id of the entry with which it began. Undefined
   * if the turn is not known.
   */
  readonly turns: readonly (string | undefined)[];
  /** The remaining lines of each turn. */
  readonly parts: readonly TurnPart[];
  /** The user has edited the hunk since, so it has neither the baseline's nor the agent's lines. */
  readonly isEdited: boolean;
  /** Its lines in the baseline, and in the file now. */
  readonly baseline: LineRange;
  readonly current: LineRange;
  /** Lines without their line feeds. */
  readonly baselineLines: readonly string[];
  readonly agentLines: readonly string[];
  readonly currentLines: readonly string[];
  /** Lines, from the baseline to now. */
  readonly added: number;
  readonly removed: number;
}

/** How a hunk is marked. */
export function markOf({ state, currentLines, baselineLines }: Hunk): 'conflicted' | 'deleted' | 'added' | 'changed' {
  if (state === 'conflicted') return 'conflicted';
  if (currentLines.length === 0) return 'deleted';
  return baselineLines.length === 0 ? 'added' : 'changed';
}

/** One file that the agent changed and the user has not yet kept. Texts have `\n` line ends. */
export interface Change {
  readonly path: string;
  readonly kind: 'created' | 'modified' | 'deleted';
  /** The turn that touched the file last; see `Hunk.turns`. A deletion or an emptied file belongs to it. */
  readonly turn: string | undefined;
  /** The turns before it, if the change is the file as a whole. */
  readonly earlierTurns?: readonly (string | undefined)[];
  /** The text that Undo restores, later edits of the user included. Undefined: the file did not exist. */
  readonly baseline: string | undefined;
  /** The present text of the file. */
  readonly current: string | undefined;
  /** Pending hunks, by line. None if the change is the file as a whole: it is deleted or empty. */
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
  /** A short reason why no lines can be shown; absent if they can. */
  readonly note?: string;
  /** A short description of changes besides the lines: line ends, the last line break. */
  readonly beside?: string;
  /** The turns that changed the storage form or the permissions beside the lines. */
  readonly besideTurns?: readonly (string | undefined)[];
  /** The content before the change is not stored. */
  readonly cannotUndo?: boolean;
}
