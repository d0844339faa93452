import { Disposable } from '../base/lifecycle';
import { type Clock, Coalescer } from '../base/scheduler';
import type { ThreadAction } from './actions';

type Chunk = Extract<ThreadAction, { type: 'message/chunkAppended' }>;

/** How long a chunk waits for others, ms. */
const waitMs = 4;

/**
 * Joins text that goes on with the message that is streaming: an agent sends a chunk for each token, and each action costs
 * everybody who follows the thread. The first chunk of a message does not wait.
 */
export class JoinedChunks extends Disposable {
  private last: Chunk | undefined;
  private texts: string[] = [];
  private until = 0;
  private readonly coalescer: Coalescer;

  /** @param act takes what was joined */
  constructor(
    clock: Clock,
    private readonly act: (action: ThreadAction) => void,
  ) {
    super();
    this.coalescer = this.register(new Coalescer(clock, waitMs, () => this.flush()));
  }

  /** @returns whether the action is text that goes on with the last one, and is kept for the next `flush`. */
  takes(action: ThreadAction): boolean {
    const { last } = this;
    if (action.type !== 'message/chunkAppended' || action.content.type !== 'text' || action.content.text === '' || !last) return false;
    if (action.role !== last.role || action.messageId !== last.messageId || action.parentToolCallId !== last.parentToolCallId) return false;
    this.texts.push(action.content.text);
    this.until = action.at;
    this.coalescer.schedule();
    return true;
  }

  /** Call after each action that changed the thread. Chunks of the user are never joined: the reducer compares each with the prompt. */
  follow(action: ThreadAction): void {
    this.last = action.type === 'message/chunkAppended' && action.role !== 'user' ? action : undefined;
  }

  /** Passes the joined text on. */
  flush(): void {
    this.coalescer.cancel();
    if (!this.last || this.texts.length === 0) return;
    const text = this.texts.join('');
    this.texts = [];
    this.act({ ...this.last, at: this.until, content: { type: 'text', text } });
  }
}
