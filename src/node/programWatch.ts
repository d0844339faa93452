import { processTag } from './processTag';
import type { WatchedTree } from './watchdog';

/** Ends programs after this process has ended; `Watchdog` is one. */
interface TreeWatch {
  watch(pid: number): WatchedTree;
}

interface ProgramWatch {
  readonly watchdog: TreeWatch;
  /** The next mark of a tree; see `processTag`. */
  readonly mark: () => string;
}

let watch: ProgramWatch | undefined;

/** Helper programs now end with the window, even if the host is killed. @returns the watch itself */
export function watchPrograms<T extends TreeWatch>(by: T): T {
  watch = { watchdog: by, mark: processTag };
  return by;
}

/** The watch for helper programs; undefined if there is none, as in a test. */
export function programWatch(): ProgramWatch | undefined {
  return watch;
}
