import type { SessionState } from '../acp/decodeUpdate';
import { ConnectionEnded } from '../acp/errors';
import { Deferred } from '../base/deferred';

/** A state with the time at which its bytes were read, epoch ms. */
type HeardState = SessionState & { readonly receivedAt: number };

/**
 * Whether an agent that tells its state (v2) works on a session, and when that has ended. Work ends with the way from
 * busy to idle: an idle that comes again is no second end, and a state that is not known is busy (items 192, 194).
 */
export class Foreground {
  #busy = false;
  /** The user has pressed Stop: an agent that never said that it works may say now that it does not. */
  #anyIdleEnds = false;
  #end: HeardState | undefined;
  #waiting: Deferred<HeardState> | undefined;

  get isBusy(): boolean {
    return this.#busy;
  }

  /** A turn begins: what ended before is not its end. */
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
   * Resolves with the idle state that ends the turn, also when it came since `begin`.
   * @throws ConnectionEnded when the agent goes.
   */
  whenIdle(): Promise<HeardState> {
    if (this.#end) return Promise.resolve(this.#end);
    this.#waiting ??= new Deferred();
    return this.#waiting.promise;
  }

  /** The agent is gone. */
  reset(): void {
    this.#busy = false;
    this.#anyIdleEnds = false;
    this.#end = undefined;
    this.#waiting?.reject(new ConnectionEnded());
    this.#waiting = undefined;
  }
}
