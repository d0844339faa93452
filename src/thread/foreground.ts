import type { SessionState } from '../acp/decodeUpdate';
import { ConnectionEnded } from '../acp/errors';
import { Deferred } from '../base/deferred';

/** A state with the time at which its bytes were read, epoch ms. */
type HeardState = SessionState & { readonly receivedAt: number };

/**
 * Tracks whether an agent that reports its state (v2) works on a session, and when that ends. Work ends with the change
 * from busy to idle: a repeated idle does not count, and an unknown state counts as busy (items 192, 194).
 */
export class Foreground {
  #busy = false;
  /** The user pressed Stop: an idle from an agent that never reported busy ends the turn, too. */
  #anyIdleEnds = false;
  #end: HeardState | undefined;
  #waiting: Deferred<HeardState> | undefined;

  get isBusy(): boolean {
    return this.#busy;
  }

  /** A turn begins: earlier ends do not count for it. */
  begin(): void {
    this.#anyIdleEnds = false;
    this.#end = undefined;
  }

  stopRequested(): void {
    this.#anyIdleEnds = true;
  }

  hear(state: HeardState): void {
    if (state.state !== 'idle') {
      this.#busy = true;
      this.#end = undefined;
      return;
    }
    if (!this.#busy && !this.#anyIdleEnds) return;
    this.#busy = false;
    this.#end = state;
    this.#waiting?.resolve(state);
    this.#waiting = undefined;
  }

  /**
   * Resolves with the idle state that ends the turn, also if it came since `begin`.
   * @throws ConnectionEnded if the agent's process ends.
   */
  whenIdle(): Promise<HeardState> {
    if (this.#end) return Promise.resolve(this.#end);
    this.#waiting ??= new Deferred();
    return this.#waiting.promise;
  }

  /** The agent's process has ended. */
  reset(): void {
    this.#busy = false;
    this.#anyIdleEnds = false;
    this.#end = undefined;
    this.#waiting?.reject(new ConnectionEnded());
    this.#waiting = undefined;
  }
}
