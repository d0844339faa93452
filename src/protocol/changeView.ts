import type { EntryId } from './entryId';

/** One file that the agent changed and the user has not yet agreed to. */
export interface ChangeView {
  readonly path: string;
  readonly label: string;
  /** `renamed`: from `from`, with the same content or changed since. */
  readonly kind: 'created' | 'modified' | 'deleted' | 'renamed';
  readonly added: number;
  readonly removed: number;
  /** Places that wait for a decision; 0 where the file as a whole is the change. */
  readonly hunks: number;
  /** Those of them that Undo left, because the user had edited the same lines. */
  readonly conflicts: number;
  /** Where it was before a rename, as `label`. */
  readonly from?: string;
  /** Why there are no lines to show, in a few words. */
  readonly note?: string;
  /** What changed beside the lines, in a few words: line ends, the last line break. */
  readonly beside?: string;
  /** True where nobody knows how it was before. */
  readonly cannotUndo?: boolean;
  /** One of those that wait until the user decides on just this file (`parley.review.guard`). */
  readonly guarded?: boolean;
}

/** Changed files that are not in the list, because there are too many. */
export interface MoreChangesView {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Files that changed while the agent worked, and for which nothing speaks: they may be the user's. */
export interface UnclaimedView {
  readonly files: number;
  /** The first of them. */
  readonly changes: readonly UnclaimedChangeView[];
}

export interface UnclaimedChangeView {
  readonly path: string;
  readonly label: string;
  readonly kind: 'created' | 'modified' | 'deleted';
}

/** The user looks at such a change, says that it is the agent's, or does not want to see it any more. */
export const unclaimedActs = ['open', 'include', 'dismiss'] as const;
export type UnclaimedAct = (typeof unclaimedActs)[number];

/** What one turn has changed and still waits; `turn` is the entry with which it began. */
export interface TurnChangesView {
  readonly turn: EntryId;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Files that the user has just kept, as long as that can be undone from the panel. */
export interface KeptView {
  readonly files: number;
}

/**
 * Changes that will be kept without a click: when (epoch milliseconds), or how much time is left (milliseconds) once
 * nobody holds it.
 */
export type KeepCountdownView = { readonly endsAt: number } | { readonly remainingMs: number };

/**
 * What the user chooses where Undo could not be done: what stands there, what the agent wrote, or to see both first.
 */
export const conflictChoices = ['mine', 'agents', 'both'] as const;
export type ConflictChoice = (typeof conflictChoices)[number];

/** Prompts sent from `from` to `to` (both included) can be restored to: the agent has changed files since. */
export interface CheckpointsView {
  readonly from: number;
  readonly to: number;
  /** `sentAt` of the prompt that was restored to, as long as Redo can take it back. */
  readonly restored?: number;
  /**
   * Restores that stand: the files that went back to before the prompt of `from`, at `to`; epoch milliseconds. Bounded.
   */
  readonly restores?: readonly { readonly from: number; readonly to: number; readonly paths: readonly string[] }[];
}
