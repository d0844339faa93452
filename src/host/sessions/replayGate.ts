import type { Update } from '../../acp/decodeUpdate';
import type { Clock } from '../../base/scheduler';

/** Silence after which a replay is taken for ended, and how long it may go on at most. Milliseconds. */
const quietMs = 250;
const longestMs = 5_000;

/** What tells of the conversation, rather than of the session as it is now. */
const history: ReadonlySet<Update['type']> = new Set(['chunk', 'message', 'messageChunk', 'toolCall', 'toolContent', 'terminal', 'terminalBytes', 'plan', 'notice', 'compaction', 'compactionChunk']);

/**
 * Holds back what an agent replays of a conversation that is on screen already (`session/load` where there is no
 * `session/resume`). What describes the session as it is now passes.
 */
export class ReplayGate {
  readonly #closed = new Map<string, number>();

  close(key: string): void {
    this.#closed.set(key, 0);
  }

  /** @returns how many updates were held back. */
  open(key: string): number {
    const count = this.#closed.get(key) ?? 0;
    this.#closed.delete(key);
    return count;
  }

  /** @returns false for an update that must not be applied. */
  admits(key: string, update: Update): boolean {
    const count = this.#closed.get(key);
    if (count === undefined || !history.has(update.type)) return true;
    this.#closed.set(key, count + 1);
    return false;
  }

  /** Waits for the end of the replay: some agents answer `session/load` first and replay then (item 60). */
  async whenQuiet(key: string, clock: Clock): Promise<void> {
    const start = clock.now();
    for (;;) {
      const before = this.#closed.get(key);
      await new Promise<void>((resolve) => clock.setTimeout(resolve, quietMs));
      if (this.#closed.get(key) === before || clock.now() - start > longestMs) return;
    }
  }
}
