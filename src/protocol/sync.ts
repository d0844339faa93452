/**
 * One sequenced channel from host to webview. A stamp orders every message; on any doubt the receiver asks for a
 * snapshot, which is the one way to recover. Nothing is queued for a webview that is hidden.
 */
export interface SyncStamp {
  /** Increases when the host starts over (new webview, other session). */
  readonly generation: number;
  /** Increases by one with each patch message of a generation; a snapshot carries the number it includes. */
  readonly sequence: number;
}

export type SyncVerdict = 'apply' | 'drop' | 'resync';

/** Decides what to do with each stamped message. A pure state machine that does not read the payload. */
export class SyncReceiver {
  #stamp: SyncStamp | undefined;

  /** Applies every snapshot that is not older than the shown one. */
  classifySnapshot(stamp: SyncStamp): 'apply' | 'drop' {
    if (this.#stamp && stamp.generation < this.#stamp.generation) return 'drop';
    return 'apply';
  }

  classifyPatch(stamp: SyncStamp): SyncVerdict {
    if (!this.#stamp || stamp.generation > this.#stamp.generation) return 'resync';
    if (stamp.generation < this.#stamp.generation || stamp.sequence <= this.#stamp.sequence) return 'drop';
    return stamp.sequence === this.#stamp.sequence + 1 ? 'apply' : 'resync';
  }

  /** Call it only after the payload was applied without error. */
  commit(stamp: SyncStamp): void {
    this.#stamp = stamp;
  }

  /** After a failed apply: refuses everything but a snapshot. */
  reset(): void {
    this.#stamp = undefined;
  }
}
