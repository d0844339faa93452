import type { ContentInHand } from '../../storage/contentInHand';

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
