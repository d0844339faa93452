import * as l10n from '@vscode/l10n';
import type { Writable } from 'node:stream';
import { Deferred } from '../base/deferred';

/** From this size on, no large answer is begun. Bytes. */
const fullAt = 16 * 1024 * 1024;
/** Bytes of one write to the system: small enough to see the progress of a slow reader. */
const pieceBytes = 256 * 1024;
/** How long the other side may read nothing while the queue is full, ms, and the number of checks in that time. */
const stallMs = 30_000;
const looks = 6;

interface Waiting {
  readonly bytes: Buffer;
  readonly done: Deferred<void>;
}

/**
 * Bytes on their way into a pipe, in order, one piece at a time. Unlike the stream's own buffer it knows how much the
 * other side has read, and detects a reader that has stopped.
 */
export class OutputQueue {
  #waiting: Waiting[] = [];
  /** Bytes of `waiting[0]` that are already written. */
  #taken = 0;
  #queued = 0;
  #total = 0;
  #isWriting = false;
  #ended: Error | undefined;
  #room: Deferred<void> | undefined;
  #watch: NodeJS.Timeout | undefined;

  /** @param onStall the other side no longer reads. */
  constructor(
    private readonly output: Writable,
    private readonly onStall: () => void,
    private readonly patienceMs = stallMs,
  ) {
    const end = () => this.fail(notRead());
    output.on('error', end);
    output.on('close', end);
  }

  /** Resolves when the other side has read all of it; rejects if it never will. */
  write(bytes: Buffer): Promise<void> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (this.output.destroyed || this.output.writableEnded) return Promise.reject(notRead());
    const done = new Deferred<void>();
    this.#waiting.push({ bytes, done });
    this.#queued += bytes.length;
    this.#writeNext();
    if (this.#isFull) this.#watch ??= this.#watchFor(this.#total);
    return done.promise;
  }

  /** Undefined while there is room for a large answer; else resolves when there is. */
  whenRoom(): Promise<void> | undefined {
    if (!this.#isFull) return undefined;
    this.#room ??= new Deferred();
    return this.#room.promise;
  }

  /** Nothing is written any more; queued writes are rejected. */
  fail(error: Error): void {
    if (this.#ended) return;
    this.#ended = error;
    clearInterval(this.#watch);
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#queued = 0;
    for (const { done } of waiting) done.reject(error);
  }

  get #isFull(): boolean {
    return this.#queued >= fullAt;
  }

  #writeNext(): void {
    if (this.#isWriting || this.#waiting.length === 0) return;
    const parts: Buffer[] = [];
    let length = 0;
    let count = 0;
    let from = this.#taken;
    while (count < this.#waiting.length && length < pieceBytes) {
      const { bytes } = this.#waiting[count]!;
      const part = bytes.subarray(from, from + pieceBytes - length);
      parts.push(part);
      length += part.length;
      from += part.length;
      if (from < bytes.length) break;
      count++;
      from = 0;
    }
    this.#isWriting = true;
    this.output.write(parts.length === 1 ? parts[0] : Buffer.concat(parts), (error) => {
      this.#isWriting = false;
      if (error) return this.fail(error);
      if (this.#ended) return;
      this.#queued -= length;
      this.#total += length;
      this.#taken = from;
      for (const { done } of this.#waiting.splice(0, count)) done.resolve();
      if (!this.#isFull) this.#makeRoom();
      this.#writeNext();
    });
  }

  #makeRoom(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#room?.resolve();
    this.#room = undefined;
  }

  /** Several checks, so that the sleep of a machine counts as at most one of them. */
  #watchFor(total: number): NodeJS.Timeout {
    let seen = total;
    let idle = 0;
    const timer = setInterval(() => {
      idle = this.#total === seen ? idle + 1 : 0;
      seen = this.#total;
      if (idle >= looks) this.onStall();
    }, this.patienceMs / looks);
    return timer.unref();
  }
}

function notRead(): Error {
  return new Error(l10n.t('the agent no longer reads its input'));
}
