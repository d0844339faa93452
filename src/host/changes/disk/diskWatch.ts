import type { DisposableStore, IDisposable } from '../../../base/lifecycle';
import type { Witnesses } from './contentAttribution';
import type { PathQueue } from './pathQueue';
import type { TurnRoot } from './turnRoot';

/** What there is only while a turn runs, and for a moment after it. */
export interface DiskWatch extends Witnesses {
  readonly store: DisposableStore;
  readonly roots: Map<string, TurnRoot>;
  readonly queue: PathQueue;
  /** The files that were looked at, by when they had changed then; undefined for those that were not there. */
  readonly seen: Map<string, number | undefined>;
  /** Counts for each file what was heard of it elsewhere; a look that began before is out of date. */
  readonly heard: Map<string, number>;
  sweep: IDisposable | undefined;
  end: IDisposable | undefined;
  /** Nothing can be judged before it is known what was there. */
  prepared: Promise<unknown>;
}

/** What was read of a file before is out of date. */
export function hear({ heard }: DiskWatch, path: string): void {
  heard.set(path, (heard.get(path) ?? 0) + 1);
}
