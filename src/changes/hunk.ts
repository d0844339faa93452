import type { TurnPart } from './turnSteps';

/**
 * What became of a hunk. `pending`: nobody has decided. `conflicted`: Undo was asked for, but the user has edited the
 * same lines, so a choice has to be made. `rejected`: the file holds the baseline's lines again; it is remembered,
 * because Ctrl+Z or a command may bring it back. An accepted hunk is none any more: it is part of the baseline.
 */
export type HunkState = 'pending' | 'conflicted' | 'rejected';

/**
 * Lines `start` … before `end`, 0-based, counted as an editor does: a text that ends with a line feed has one more,
 * empty line. Empty where lines were only inserted on the other side.
 */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** One place where a file differs from its baseline because of the agent. */
export interface Hunk {
  /** Stable while the hunk lives, unique in its ledger. */
  readonly id: string;
  readonly state: HunkState;
  /**
   * The turns that changed lines here, the first one first, each by the id of the entry with which it began. Undefined
   * where that is not known.
   */
  readonly turns: readonly (string | undefined)[];
  /** What each of them did and is still there. */
  readonly parts: readonly TurnPart[];
  /** The user has edited in it since: it has neither the baseline's nor the agent's lines. */
  readonly isEdited: boolean;
  /** Where it is in the baseline, and where in the file now. */
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

/** One file that the agent changed and the user has not yet agreed to. Texts have `\n` line ends. */
export interface Change {
  readonly path: string;
  readonly kind: 'created' | 'modified' | 'deleted';
  /** The turn that touched the file last; see `Hunk.turns`. A file that is gone or empty belongs to it. */
  readonly turn: string | undefined;
  /** The turns before it, where the file as a whole is the change. */
  readonly earlierTurns?: readonly (string | undefined)[];
  /** What Undo goes back to, later edits of the user included. Undefined: the file did not exist. */
  readonly baseline: string | undefined;
  /** What stands in the file now. */
  readonly current: string | undefined;
  /** Those that wait for a decision, by line. None where the file as a whole is the change: it is gone, or empty. */
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
  /** Why there are no lines to show, in a few words; absent where there are. */
  readonly note?: string;
  /** What changed beside the lines, in a few words: line ends, the last line break. */
  readonly beside?: string;
  /** The content before the change is not stored. */
  readonly cannotUndo?: boolean;
}
