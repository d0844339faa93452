import type { EntryId } from './entryId';

/** One file that the agent changed and the user has not yet kept. */
export interface ChangeView {
  readonly path: string;
  readonly label: string;
  /** `renamed`: moved from `from`, perhaps with other changes since. */
  readonly kind: 'created' | 'modified' | 'deleted' | 'renamed';
  readonly added: number;
  readonly removed: number;
  /** Pending hunks; 0 if the change is not reviewed by line. */
  readonly hunks: number;
  /** The hunks among them that Undo left, because the user had edited the same lines. */
  readonly conflicts: number;
  /** The path before a rename, in the form of `label`. */
  readonly from?: string;
  /** Why there are no lines to show, in a few words. */
  readonly note?: string;
  /** Changes besides the lines, in a few words: line endings, the last line break. */
  readonly beside?: string;
  /** True if the original is unknown. */
  readonly cannotUndo?: boolean;
  /** A protected file: it needs its own decision (`parley.review.guard`). */
  readonly guarded?: boolean;
}

/** Changed files that the list leaves out, because there are too many. */
export interface MoreChangesView {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Files that changed while the agent worked, without evidence of who changed them: they may be the user's. */
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

/** The user opens such a change, includes it as the agent's, or dismisses it. */
export const unclaimedActs = ['open', 'include', 'dismiss'] as const;
export type UnclaimedAct = (typeof unclaimedActs)[number];

/** The pending changes of one turn; `turn` is its first entry. */
export interface TurnChangesView {
  readonly turn: EntryId;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Errors that the last turn left; `turn` is its first entry. */
export interface NewProblemsView {
  readonly turn: EntryId;
  /** At least 1. */
  readonly count: number;
}

/** Files that the user has just kept, while the panel still offers to undo that. */
export interface KeptView {
  readonly files: number;
}

/** The user's choices if Undo was not possible: keep the current text, keep the agent's text, or compare both first. */
export const conflictChoices = ['mine', 'agents', 'both'] as const;
export type ConflictChoice = (typeof conflictChoices)[number];

/**
 * Prompts from `from` to `to` (both included) have a checkpoint to restore, since the agent has changed files after
 * them.
 */
export interface CheckpointsView {
  readonly from: number;
  readonly to: number;
  /** `sentAt` of the prompt whose checkpoint was restored, while Redo is possible. */
  readonly restored?: number;
  /** Restores in effect: at `to`, the files went back to before the prompt of `from`; epoch milliseconds. Bounded. */
  readonly restores?: readonly { readonly from: number; readonly to: number; readonly paths: readonly string[] }[];
}
