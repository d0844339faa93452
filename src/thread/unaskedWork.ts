import type { Update } from '../acp/decodeUpdate';
import { optionOf } from './sessionOptions';
import type { Thread, ToolCall } from './thread';

/** Prompts after which nobody needs to be told any more. */
const firstPrompts = 3;

/** What a call did that users may expect to be asked about. */
type Work = 'command' | 'change';

const works: Partial<Record<ToolCall['toolKind'], Work>> = {
  execute: 'command',
  edit: 'change',
  delete: 'change',
  move: 'change',
};

/**
 * Marks the first command and the first change of an agent that has neither asked nor a mode that says whether it asks.
 * No more than that is known: it may ask for something else, or the user may have answered “always” elsewhere.
 */
export class UnaskedWork {
  readonly #marked = new Set<Work>();
  #prompts = 0;

  constructor(private readonly thread: () => Thread) {
    if (thread().entries.length > 0) this.asked();
  }

  /** A permission is asked for: this agent asks. */
  asked(): void {
    this.#prompts = firstPrompts + 1;
  }

  promptSent(): void {
    this.#prompts++;
  }

  /** An update as the thread takes it. What an agent tells before the first prompt, it did earlier. */
  inUpdate(update: Update): Update {
    if (
      this.#prompts === 0 ||
      this.#prompts > firstPrompts ||
      update.type !== 'toolCall' ||
      update.fields.status !== 'completed'
    )
      return update;
    const thread = this.thread();
    const index = thread.toolCalls.get(update.fields.toolCallId);
    const call = index === undefined ? undefined : thread.entries.at(index);
    const kind = update.fields.kind ?? (call?.kind === 'toolCall' ? call.toolKind : undefined);
    const work = kind && works[kind];
    if (
      work === undefined ||
      this.#marked.has(work) ||
      !thread.turn ||
      thread.turn.stopping ||
      optionOf(thread.options, 'mode')
    )
      return update;
    this.#marked.add(work);
    return { ...update, fields: { ...update.fields, wasUnasked: true } };
  }
}
