import { processTag } from './processTag';
import type { WatchedTree } from './watchdog';

/** Ends programs when this process no longer can; `Watchdog` is one. */
interface TreeWatch {
  watch(pid: number): WatchedTree;
}

interface ProgramWatch {
  readonly watchdog: TreeWatch;
  /** The next mark of a tree; see `processTag`. */
  readonly mark: () => string;
}

let watch: ProgramWatch | undefined;

/** From now on helper programs end with the window, also when the host is killed. @returns the watch itself */
export function watchPrograms<T extends TreeWatch>(by: T): T {
  watch = { watchdog: by, mark: processTag };
  return by;
}

/** What watches over helper programs; undefined where nothing does, as in a test. */
export function programWatch(): ProgramWatch | undefined {
  return watch;
}
