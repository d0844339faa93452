import type { CancellationToken } from '../base/cancellation';
import { AcpError } from './errors';

/**
 * Large answers that may be prepared at the same time. Each can be 10 MB of text, as a string, as JSON and as bytes.
 */
const maxInTheMaking = 4;

/**
 * Makes a large answer when there is room for it.
 * @throws AcpError cancelled, if the request is withdrawn or the link ends first.
 */
export type MakeLarge = <T>(make: () => Promise<T>) => Promise<T>;

/** For callers without a link that could be slow. */
export const makeAtOnce: MakeLarge = (make) => make();

/**
 * Queues large answers until the agent has read enough of the earlier ones. First come, first served. A queued request
 * costs only its own memory, and an agent that reads slowly still gets all of its answers.
 */
export class AnswerRoom {
  #inTheMaking = 0;
  readonly #line = new Set<() => void>();
  #isWaiting = false;

  /** @param whenRoom see `AgentWriter` */
  constructor(private readonly whenRoom: () => Promise<void> | undefined) {}

  /** @param token of the request */
  for(token: CancellationToken): MakeLarge {
    return (make) => {
      if (token.isCancellationRequested) return Promise.reject(AcpError.cancelled());
      // Synchronous up to the first await of `make`, so that a read comes before a later write.
      if (this.#line.size === 0 && this.#inTheMaking < maxInTheMaking && !this.whenRoom()) return this.#run(make);
      return new Promise((resolve, reject) => {
        const start = () => {
          subscription.dispose();
          this.#run(make).then(resolve, reject);
        };
        const subscription = token.onCancellationRequested(() => {
          this.#line.delete(start);
          reject(AcpError.cancelled());
        });
        this.#line.add(start);
        this.#startNext();
      });
    };
  }

  async #run<T>(make: () => Promise<T>): Promise<T> {
    this.#inTheMaking++;
    try {
      return await make();
    } finally {
      this.#inTheMaking--;
      this.#startNext();
    }
  }

  #startNext(): void {
    while (this.#line.size > 0 && this.#inTheMaking < maxInTheMaking && !this.#isWaiting) {
      const room = this.whenRoom();
      if (room) {
        this.#isWaiting = true;
        void room.then(() => {
          this.#isWaiting = false;
          this.#startNext();
        });
        return;
      }
      const [start] = this.#line;
      this.#line.delete(start!);
      start!();
    }
  }
}
