/**
 * One sequenced channel from host to webview. A stamp orders every message; on any doubt the receiver asks for a
 * snapshot, which is the one way to recover. Nothing is queued for a webview that is hidden.
 */
export interface SyncStamp {
  /** Grows when the host starts over (new webview, other session). */
  readonly generation: number;
  /** Grows by one with each patch message of a generation; a snapshot carries the number it includes. */
  readonly sequence: number;
}

export type SyncVerdict = 'apply' | 'drop' | 'resync';

/** Decides what to do with each stamped message. Pure state machine; knows nothing of the payload. */
export class SyncReceiver {
  #stamp: SyncStamp | undefined;

  /** A snapshot is always taken unless it is older than what is shown. */
  classifySnapshot(stamp: SyncStamp): 'apply' | 'drop' {
    if (this.#stamp && stamp.generation < this.#stamp.generation) return 'drop';
    return 'apply';
  }

  classifyPatch(stamp: SyncStamp): SyncVerdict {
    if (!this.#stamp || stamp.generation > this.#stamp.generation) return 'resync';
    if (stamp.generation < this.#stamp.generation || stamp.sequence <= this.#stamp.sequence) return 'drop';
    return stamp.sequence === this.#stamp.sequence + 1 ? 'apply' : 'resync';
  }

  /** Call only after the payload was applied without error. */
  commit(stamp: SyncStamp): void {
    this.#stamp = stamp;
  }

  /** After a failed apply: everything but a snapshot is refused. */
  reset(): void {
    this.#stamp = undefined;
  }
}
