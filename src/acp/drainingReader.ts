import type { DataCallback, Disposable, Message, MessageReader, MessageStrategy } from 'vscode-jsonrpc';
import { Emitter } from '../base/event';
import type { AgentReader } from './agentLink';

/** Bytes that may be queued before Parley stops reading. */
const maxUnhandled = 2 * 1024 * 1024;
/** Bytes after which the queue gets a mark. */
const bytesPerMark = 64 * 1024;

/** Takes the place of the end of the stream in the queue. */
const endOfStream = placeholder();

/**
 * Adds its own placeholders to the queue of vscode-jsonrpc, which does not report its progress:
 * - one for the end, so that the agent's last messages come before its end (item 87);
 * - marks, so that Parley stops reading an agent that sends faster than it is handled.
 *
 * It also remembers when each message was read from the pipe, which may be long before it leaves the queue.
 */
export class DrainingReader implements MessageReader {
  readonly #closeEmitter = new Emitter<void>();
  readonly onClose = this.#closeEmitter.event;
  readonly onError: MessageReader['onError'];
  readonly onPartialMessage: MessageReader['onPartialMessage'];
  readonly #marks = new Map<Message, number>();
  readonly #received = new WeakMap<Message, number>();
  #receivedAt: number | undefined;
  /** Waits until earlier messages are handled. */
  readonly #waiting = new Map<Message, () => void>();
  #callback: DataCallback | undefined;
  #unmarked = 0;
  #unhandled = 0;
  #isPaused = false;

  /** For the options of the connection: sees every message as it leaves the queue. */
  readonly strategy: MessageStrategy = {
    handleMessage: (message, next) => {
      const bytes = this.#marks.get(message);
      const handled = this.#waiting.get(message);
      if (bytes !== undefined) this.#handled(message, bytes);
      else if (handled) handled();
      else if (message === endOfStream) this.#closeEmitter.fire();
      else {
        this.#receivedAt = this.#received.get(message);
        return next(message);
      }
    },
  };

  /** @param admits decides which messages pass; called in the order of the wire. */
  constructor(
    private readonly inner: AgentReader,
    private readonly admits: (message: Message, bytes: number) => boolean,
  ) {
    this.onError = inner.onError;
    this.onPartialMessage = inner.onPartialMessage;
  }

  /** When the last dequeued message was read, epoch ms. The next one leaves the queue in another task. */
  get receivedAt(): number {
    return this.#receivedAt ?? Date.now();
  }

  /** Resolves when everything that has arrived so far is handled. */
  async caughtUp(): Promise<void> {
    // After the first mark the pipe is read once more; after the second, those messages are in the queue.
    for (let i = 0; i < 3; i++) await this.#passed();
  }

  listen(callback: DataCallback): Disposable {
    this.#callback = callback;
    const subscription = this.inner.onClose(() => callback(endOfStream));
    const listening = this.inner.listen((message, bytes) => {
      if (!this.admits(message, bytes)) return;
      this.#received.set(message, Date.now());
      callback(message);
      this.#queued(bytes, callback);
    });
    return {
      dispose: () => {
        this.#callback = undefined;
        subscription.dispose();
        listening.dispose();
      },
    };
  }

  dispose(): void {
    this.#callback = undefined;
    for (const handled of [...this.#waiting.values()]) handled();
    this.inner.dispose();
  }

  #passed(): Promise<void> {
    const mark = placeholder();
    return new Promise((resolve) => {
      if (!this.#callback) return resolve();
      this.#waiting.set(mark, () => {
        this.#waiting.delete(mark);
        resolve();
      });
      this.#callback(mark);
    });
  }

  #queued(bytes: number, callback: DataCallback): void {
    this.#unmarked += bytes;
    this.#unhandled += bytes;
    if (this.#unmarked < bytesPerMark) return;
    const mark = placeholder();
    this.#marks.set(mark, this.#unmarked);
    this.#unmarked = 0;
    callback(mark);
    if (this.#unhandled < maxUnhandled || this.#isPaused) return;
    this.#isPaused = true;
    this.inner.pause();
  }

  #handled(mark: Message, bytes: number): void {
    this.#marks.delete(mark);
    this.#unhandled -= bytes;
    if (!this.#isPaused || this.#unhandled >= maxUnhandled) return;
    this.#isPaused = false;
    this.inner.resume();
  }
}

/** Never leaves this process. */
function placeholder(): Message {
  return { jsonrpc: '2.0', method: '$/place' } as Message;
}
