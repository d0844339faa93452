import type { ContentInHand } from '../../storage/contentInHand';
import type { TurnMark } from '../stored/beforeImages';

/** Separates the direct disk writes of agents from those of the user; see `DiskChanges`. */
export interface DiskAttribution {
  /** True if a new content on disk will be examined, because it is not known to be the user's. */
  takes(path: string, content: ContentInHand): boolean;
  /** True if the user has unsaved edits in a file that an agent has changed on disk. */
  isHeld(path: string): boolean;
  /**
   * Checks files again before a decision about them, even if no event has reported them yet.
   * @param paths absent: all files that an agent may have changed, for a few seconds at most
   */
  settle(paths?: readonly string[]): Promise<void>;
  /**
   * Records an agent's latest direct write before the content of a file is used as known.
   * @param content the present content, a text or no file
   */
  catchUp(path: string, content: ContentInHand): Promise<void>;
  /**
   * Parley is about to write this file for the user.
   * @returns to be called when the write has ended.
   * @throws NotStoredError
   */
  writing(path: string): Promise<() => void>;
  /** Parley has written this file. @param content its present content */
  wrote(path: string, content: ContentInHand): void;
}

/** Used until an agent has worked. */
export const noDisk: DiskAttribution = {
  takes: () => false,
  isHeld: () => false,
  settle: async () => undefined,
  catchUp: async () => undefined,
  writing: async () => () => undefined,
  wrote: () => undefined,
};

/** Receives changes of agents and answers questions about files in the review. `ReviewService` implements it. */
export interface AgentChanges {
  /** An agent changed a file: lines, bytes, permissions, or how its text is stored; see `ReviewService.record`. */
  record(
    sessionId: string,
    path: string,
    before: ContentInHand | undefined,
    after: ContentInHand,
    mark?: TurnMark,
  ): void;
  /** Someone other than an agent changed a file on disk. */
  recordEdit(path: string, text: string | undefined): void;
  /** The last known text of a file with pending changes; undefined for any other file. */
  textNow(path: string): { readonly text: string | undefined } | undefined;
  /** The texts of a file from before its pending changes. */
  baselines(path: string): readonly string[];
  /** True while Parley writes the file. */
  isWriting(path: string): boolean;
  /** Reads files with pending changes again; see `ReviewedFiles.lookAgain`. */
  lookAgain(): Promise<void>;
}

/** Receives changes that no evidence attributes to an agent. `UnclaimedChanges` implements it. */
export interface DoubtfulChanges {
  add(sessionId: string, path: string, before: ContentInHand | undefined, after: ContentInHand, mark: TurnMark): void;
  /** Later evidence attributes them to the agent. */
  include(targets: readonly { readonly sessionId: string; readonly path: string }[]): Promise<unknown>;
}
