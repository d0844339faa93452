import * as l10n from '@vscode/l10n';
import { withReasoningMark } from '../../src/base/reasoningTags';
import type { Deadline } from '../lib/frame';
import { MarkdownView, type TextOptions } from './markdownView';
import { ThinkTags } from './thinkTags';

/** An answer that may begin with folded reasoning in tags. Used like a `MarkdownView`. */
export class ThinkingText {
  readonly element = document.createElement('div');
  #tags = new ThinkTags();
  #thought: MarkdownView | undefined;
  #fold: HTMLDetailsElement | undefined;
  readonly #answer: MarkdownView;

  constructor(private readonly options: TextOptions) {
    this.element.className = 'thinking-text';
    this.#answer = new MarkdownView(options);
    this.element.append(this.#answer.element);
  }

  get isFinished(): boolean {
    return this.#answer.isFinished;
  }

  /** It has reasoning, which may be empty. */
  get isParted(): boolean {
    return this.#tags.isParted;
  }

  append(text: string): void {
    this.#take(this.#tags.push(text));
    if (!this.#tags.isThinking) this.#endThought();
  }

  /** Ends the text. Reasoning without an end is the whole text, so it is open. */
  finish(): void {
    this.#take(this.#tags.end());
    if (this.#tags.isThinking && this.#fold) this.#fold.open = true;
    this.#endThought();
    this.#answer.finish();
  }

  /** Starts over with another text. */
  reset(text: string): void {
    this.#tags = new ThinkTags();
    this.#fold?.remove();
    this.#fold = this.#thought = undefined;
    this.#answer.reset('');
    this.append(withReasoningMark(text));
  }

  draw(deadline: Deadline, near: boolean): boolean {
    const more = this.#thought?.draw(deadline, near) ?? false;
    return this.#answer.draw(deadline, near) || more;
  }

  #take({ thought, answer }: { readonly thought: string; readonly answer: string }): void {
    if (thought !== '') this.#openThought().append(thought);
    this.#answer.append(answer);
  }

  #openThought(): MarkdownView {
    if (this.#thought) return this.#thought;
    this.#fold = document.createElement('details');
    this.#fold.className = 'io';
    const summary = this.#fold.appendChild(document.createElement('summary'));
    const icon = summary.appendChild(document.createElement('i'));
    icon.className = 'codicon codicon-chevron-right';
    icon.setAttribute('aria-hidden', 'true');
    summary.append(l10n.t('Thought'));
    this.#thought = new MarkdownView(this.options);
    this.#fold.append(this.#thought.element);
    this.element.prepend(this.#fold);
    return this.#thought;
  }

  #endThought(): void {
    this.#thought?.finish();
  }
}
