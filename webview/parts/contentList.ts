import { endsReasoning, longestEnd, withReasoningMark } from '../../src/base/reasoningTags';
import type { ContentView } from '../../src/protocol/contentView';
import type { Deadline } from '../lib/frame';
import { MarkdownView, type TextOptions } from '../markdown/markdownView';
import { ThinkingText } from '../markdown/thinkingText';
import { mayBeginThinking } from '../markdown/thinkTags';
import { contentElement } from './content';

interface Shown {
  view: ContentView;
  readonly element: HTMLElement;
  readonly markdown?: MarkdownView | ThinkingText;
}

/** The parts of a message, a thought or a tool call's output: Markdown, images, resources. Text can grow. */
export class ContentList {
  readonly element: HTMLElement;
  readonly #shown: Shown[] = [];

  constructor(
    private readonly options: Omit<TextOptions, 'isPlain'> & {
      /** Reasoning in tags is folded. */ readonly thinks?: boolean;
    } = {},
  ) {
    this.element = document.createElement('div');
    this.element.className = 'content';
  }

  /** @param streaming true while the last text may grow */
  set(content: readonly ContentView[], streaming: boolean): void {
    while (this.#shown.length > content.length) this.#shown.pop()!.element.remove();
    for (const [i, view] of content.entries()) {
      this.#setOne(i, view);
      if (!streaming || i < content.length - 1) this.#shown[i]!.markdown?.finish();
    }
  }

  append(part: number, text: string): void {
    const shown = this.#shown[part];
    if (!shown) {
      for (const earlier of this.#shown) earlier.markdown?.finish();
      this.#setOne(part, { type: 'text', text });
    } else if (shown.view.type === 'text' && shown.markdown) {
      shown.view = { type: 'text', text: shown.view.text + text };
      if (!this.#turnsToThought(part, text)) grow(shown.markdown, text, shown.view.text);
    }
  }

  draw(deadline: Deadline, near: boolean): boolean {
    let more = false;
    for (const { markdown } of this.#shown) more = (markdown?.draw(deadline, near) ?? false) || more;
    return more;
  }

  #setOne(i: number, view: ContentView): void {
    const old = this.#shown[i];
    if (old?.view === view) return;
    if (old?.markdown && old.view.type === 'text' && view.type === 'text' && old.view.isPlain === view.isPlain) {
      const { text } = old.view;
      old.view = view;
      const more = view.text.startsWith(text) ? view.text.slice(text.length) : undefined;
      if (text === view.text || this.#turnsToThought(i, more ?? view.text)) return;
      if (more === undefined) old.markdown.reset(view.text);
      else grow(old.markdown, more, view.text);
      return;
    }
    const shown = this.#create(view);
    if (old) old.element.replaceWith(shown.element);
    else this.element.appendChild(shown.element);
    this.#shown[i] = shown;
  }

  /**
   * True if the end of a drawn answer shows that it is reasoning. It is drawn anew then.
   * @param more the added text
   */
  #turnsToThought(i: number, more: string): boolean {
    const { view, markdown, element } = this.#shown[i]!;
    if (
      !this.options.thinks ||
      view.type !== 'text' ||
      (markdown instanceof ThinkingText && markdown.isParted) ||
      !endsReasoning(view.text.slice(-more.length - longestEnd)) ||
      withReasoningMark(view.text) === view.text
    )
      return false;
    this.#shown[i] = this.#create(view);
    element.replaceWith(this.#shown[i].element);
    return true;
  }

  #create(view: ContentView): Shown {
    if (view.type !== 'text') return { view, element: contentElement(view) };
    const text = this.options.thinks ? withReasoningMark(view.text) : view.text;
    const markdown =
      this.options.thinks && mayBeginThinking(text)
        ? new ThinkingText(this.options)
        : new MarkdownView(view.isPlain ? { ...this.options, isPlain: true } : this.options);
    markdown.append(text);
    return { view, element: markdown.element, markdown };
  }
}

/** Appends to a text. A finished text is drawn anew: a v2 agent may continue an earlier message. */
function grow(markdown: MarkdownView | ThinkingText, more: string, whole: string): void {
  if (!markdown.isFinished) return markdown.append(more);
  markdown.reset(whole);
  markdown.finish();
}
