import type { Update } from '../acp/decodeUpdate';
import { optionOf } from './sessionOptions';
import type { Thread, ToolCall } from './thread';

/** After this many prompts, the hint is no longer useful. */
const firstPrompts = 3;

/** A call's effect that users may expect to be asked about. */
type Work = 'command' | 'change';

const works: Partial<Record<ToolCall['toolKind'], Work>> = {
  execute: 'command',
  edit: 'change',
  delete: 'change',
  move: 'change',
};

/**
 * Marks the first command and the first change of an agent that has neither asked for a permission nor has a mode that
 * tells whether it asks. It may still ask for something else, or the user may have answered “always” elsewhere.
 */
export class UnaskedWork {
  readonly #marked = new Set<Work>();
  #prompts = 0;

  constructor(private readonly thread: () => Thread) {
    if (thread().entries.length > 0) this.asked();
  }

  /** The agent asked for a permission. */
  asked(): void {
    this.#prompts = firstPrompts + 1;
  }

  promptSent(): void {
    this.#prompts++;
  }

  /** An update with the mark. Calls before the first prompt are from earlier. */
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
