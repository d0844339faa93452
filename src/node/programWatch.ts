import { treeMark } from './treeMark';
import type { WatchedTree } from './watchdog';

/** Ends programs when this process no longer can; `Watchdog` is one. */
interface TreeWatch {
  watch(pid: number): WatchedTree;
}

interface ProgramWatch {
  readonly watchdog: TreeWatch;
  /** The next mark of a tree; see `treeMark`. */
  readonly mark: () => string;
}

/** Each lazy part of the extension has a copy of this module, so what all of them share belongs to the process. */
const key = Symbol.for('parley.programWatch');
const shared = globalThis as { [key]?: ProgramWatch };

/** From now on helper programs end with the window, also when the host is killed. @returns the watch itself */
export function watchPrograms<T extends TreeWatch>(by: T): T {
  shared[key] = { watchdog: by, mark: treeMark };
  return by;
}

/** What watches over helper programs; undefined where nothing does, as in a test. */
export function programWatch(): ProgramWatch | undefined {
  return shared[key];
}
