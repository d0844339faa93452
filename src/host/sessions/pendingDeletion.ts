import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import type { RemoteSession } from './remoteSessions';

/** How long deleted sessions can be had back. */
export const undoMs = 15_000;

/** A session of the list that is deleted. */
export interface DeletedSession {
  readonly key: string;
  /** Of one that only its agent has: the list may have forgotten it when the time is over. */
  readonly remote: RemoteSession | undefined;
}

/**
 * Sessions that the user has deleted and can still have back. Nothing is lost before the time is over: a window that
 * closes earlier has deleted nothing.
 */
export class PendingDeletion extends Disposable {
  #pending: readonly DeletedSession[] = [];
  #timer: IDisposable | undefined;

  /** @param carryOut deletes for good */
  constructor(
    private readonly clock: Clock,
    private readonly carryOut: (sessions: readonly DeletedSession[]) => void,
  ) {
    super();
  }

  get list(): readonly DeletedSession[] {
    return this.#pending;
  }

  /** Sessions that are deleted one after the other come back together, and their time begins anew. */
  add(sessions: readonly DeletedSession[]): void {
    this.#pending = [...new Map([...this.#pending, ...sessions].map((session) => [session.key, session])).values()];
    this.#timer?.dispose();
    this.#timer = this.clock.setTimeout(() => this.carryOut(this.take()), undoMs);
  }

  /** @returns the sessions, which are not deleted any more */
  take(): readonly DeletedSession[] {
    const pending = this.#pending;
    this.#pending = [];
    this.#timer?.dispose();
    this.#timer = undefined;
    return pending;
  }

  override dispose(): void {
    this.take();
    super.dispose();
  }
}
