/** Tags in which models put their reasoning, if no server removes it from the answer. */
const opening = /^\s*<(think(?:ing)?|thought|reasoning)>/i;
const mayOpen = /^\s*(?:<(?:[a-z]{0,9}>?)?)?$/i;

/** What a piece of text adds. */
interface Parted {
  readonly thought: string;
  readonly answer: string;
}

/** Whether a text begins with such a tag, or with a part of one. */
export function mayBeginThinking(text: string): boolean {
  return opening.test(text) || mayOpen.test(text);
}

/** Parts reasoning in tags at the beginning of a text from the answer after it. The text may come in pieces. */
export class ThinkTags {
  #state: 'start' | 'thought' | 'answer' = 'start';
  #held = '';
  #closing = '';

  /** It is in the reasoning, which is not over yet. */
  get isThinking(): boolean {
    return this.#state === 'thought';
  }

  push(text: string): Parted {
    const all = this.#held + text;
    this.#held = '';
    if (this.#state === 'answer') return { thought: '', answer: all };
    if (this.#state === 'thought') return this.#inThought(all);
    const match = opening.exec(all);
    if (match) {
      this.#state = 'thought';
      this.#closing = `</${match[1]!.toLowerCase()}>`;
      return this.#inThought(all.slice(match[0].length));
    }
    if (mayOpen.test(all)) {
      this.#held = all;
      return { thought: '', answer: '' };
    }
    this.#state = 'answer';
    return { thought: '', answer: all };
  }

  /** @returns what was held back */
  end(): Parted {
    const rest = this.#held;
    this.#held = '';
    return this.#state === 'thought' ? { thought: rest, answer: '' } : { thought: '', answer: rest };
  }

  #inThought(text: string): Parted {
    const at = text.toLowerCase().indexOf(this.#closing);
    if (at >= 0) {
      this.#state = 'answer';
      return { thought: text.slice(0, at), answer: text.slice(at + this.#closing.length) };
    }
    // The end may be cut within its tag.
    let held = Math.min(this.#closing.length - 1, text.length);
    while (held > 0 && !this.#closing.startsWith(text.slice(-held).toLowerCase())) held--;
    this.#held = held === 0 ? '' : text.slice(-held);
    return { thought: held === 0 ? text : text.slice(0, -held), answer: '' };
  }
}
