import type { ContentInHand } from '../../storage/contentInHand';

/** Tells what agents write to disk by themselves from what the user does; see `DiskChanges`. */
export interface DiskAttribution {
  /** Whether a new content of a file on disk is looked into, and not the user's as far as is known now. */
  takes(path: string, content: ContentInHand): boolean;
  /** Whether the user has unsaved work in a file that an agent has changed on disk. */
  isHeld(path: string): boolean;
  /**
   * Checks files again before a decision about them, even if no event has reported them yet.
   * @param paths absent: all files that an agent may have changed, for a few seconds at most
   */
  settle(paths?: readonly string[]): Promise<void>;
  /**
   * What stands in a file is about to be taken for known: what an agent has just made of it on disk is recorded before.
   * @param content what stands there, a text or no file
   */
  catchUp(path: string, content: ContentInHand): Promise<void>;
  /**
   * We are about to write this file ourselves, as the user wants.
   * @returns to be called when that is over.
   * @throws NotStoredError
   */
  writing(path: string): Promise<() => void>;
  /** We have written this file ourselves. @param content what stands there now */
  wrote(path: string, content: ContentInHand): void;
}

/** While no agent has worked. */
export const noDisk: DiskAttribution = {
  takes: () => false,
  isHeld: () => false,
  settle: async () => undefined,
  catchUp: async () => undefined,
  writing: async () => () => undefined,
  wrote: () => undefined,
};
