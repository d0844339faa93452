import * as l10n from '@vscode/l10n';
import { render } from 'lit-html';
import type { UserMessageView } from '../../src/protocol/entryView';
import { html } from '../lib/html';
import type { PartContext } from './context';

/**
 * Lines, or characters, above which a prompt is long. Well above the visible part, so that folding saves more than a
 * click.
 */
const LONG = { lines: 20, characters: 2_000 };

/** A prompt with a pasted log or file in it shows only its beginning, so that it fits on one screen with the answer. */
export class LongPrompt {
  readonly #more = document.createElement('div');

  /**
   * @param message the prompt's element
   * @param content its text, which the button follows
   */
  constructor(
    private readonly message: HTMLElement,
    private readonly content: HTMLElement,
    private readonly context: PartContext,
  ) {}

  update({ id, content }: UserMessageView): void {
    const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const lines = Math.max(0, ...texts.map((text) => text.split('\n').length));
    const isLong = lines > LONG.lines || texts.some((text) => text.length > LONG.characters);
    const folded = isLong && !this.context.ui.isExpanded(id);
    this.message.classList.toggle('folded', folded);
    if (!folded) return this.#more.remove();
    render(
      html`<button type="button" class="more" @click=${() => this.#show(id)}>${
        lines > LONG.lines ? l10n.t('Show all {0} lines', lines) : l10n.t('Show all')
      }</button>`,
      this.#more,
    );
    if (!this.#more.parentNode) this.content.after(this.#more);
  }

  #show(id: string): void {
    this.context.ui.setExpanded(id, true);
    this.context.redraw(id);
    // The button disappears, so the focus moves to the conversation.
    this.message.closest<HTMLElement>('.thread')?.focus({ preventScroll: true });
  }
}
