import { mayBeReasoning, reasoningMark } from '../../src/base/reasoningTags';

/** The two parts of a piece of text. */
interface Parted {
  readonly thought: string;
  readonly answer: string;
}

/** True if a text begins with a reasoning tag, or with a part of one. */
export function mayBeginThinking(text: string): boolean {
  return reasoningMark(text) !== undefined || mayBeReasoning(text);
}

/** Separates reasoning in tags at the beginning of a text from the answer after it. The text may come in pieces. */
export class ThinkTags {
  #state: 'start' | 'thought' | 'answer' = 'start';
  #held = '';
  #closing = '';

  /** True if the current text is reasoning. */
  get isThinking(): boolean {
    return this.#state === 'thought';
  }

  /** True if it has found a reasoning tag. */
  get isParted(): boolean {
    return this.#closing !== '';
  }

  push(text: string): Parted {
    const all = this.#held + text;
    this.#held = '';
    if (this.#state === 'answer') return { thought: '', answer: all };
    if (this.#state === 'thought') return this.#inThought(all);
    const mark = reasoningMark(all);
    if (mark) {
      this.#state = 'thought';
      this.#closing = mark.closing;
      return this.#inThought(all.slice(mark.length));
    }
    if (mayBeReasoning(all)) {
      this.#held = all;
      return { thought: '', answer: '' };
    }
    this.#state = 'answer';
    return { thought: '', answer: all };
  }

  /** @returns the held-back text */
  end(): Parted {
    const rest = this.#held;
    this.#held = '';
    return this.#state === 'thought' ? { thought: rest, answer: '' } : { thought: '', answer: rest };
  }

  #inThought(text: string): Parted {
    const closing = this.#closing.toLowerCase();
    const at = text.toLowerCase().indexOf(closing);
    if (at >= 0) {
      this.#state = 'answer';
      return { thought: text.slice(0, at), answer: text.slice(at + closing.length) };
    }
    // The closing tag may be cut.
    let held = Math.min(closing.length - 1, text.length);
    while (held > 0 && !closing.startsWith(text.slice(-held).toLowerCase())) held--;
    this.#held = held === 0 ? '' : text.slice(-held);
    return { thought: held === 0 ? text : text.slice(0, -held), answer: '' };
  }
}
