import type { DataCallback, Disposable, Message, MessageReader, MessageStrategy } from 'vscode-jsonrpc';
import { Emitter } from '../base/event';

/** Never leaves this process; it takes the place of the end of the stream in the queue. */
const endOfStream = { jsonrpc: '2.0', method: '$/endOfStream' } as Message;

/**
 * Tells of the end only after everything before it has been handled. vscode-jsonrpc queues messages but not the end, so
 * that what an agent says just before it dies would come after its connection, or never (item 87).
 */
export class DrainingReader implements MessageReader {
  private readonly closeEmitter = new Emitter<void>();
  readonly onClose = this.closeEmitter.event;
  readonly onError: MessageReader['onError'];
  readonly onPartialMessage: MessageReader['onPartialMessage'];

  /** For the options of the connection: sees every message as it leaves the queue. */
  readonly strategy: MessageStrategy = {
    handleMessage: (message, next) => (message === endOfStream ? this.closeEmitter.fire() : next(message)),
  };

  /** @param admits says which messages go on; it is asked in the order of the wire. */
  constructor(
    private readonly inner: MessageReader,
    private readonly admits: (message: Message) => boolean,
  ) {
    this.onError = inner.onError;
    this.onPartialMessage = inner.onPartialMessage;
  }

  listen(callback: DataCallback): Disposable {
    const subscription = this.inner.onClose(() => callback(endOfStream));
    const listening = this.inner.listen((message) => {
      if (this.admits(message)) callback(message);
    });
    return {
      dispose() {
        subscription.dispose();
        listening.dispose();
      },
    };
  }

  dispose(): void {
    this.inner.dispose();
  }
}
