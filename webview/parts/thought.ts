import * as l10n from '@vscode/l10n';
import { render } from 'lit-html';
import type { ThoughtView } from '../../src/protocol/entryView';
import { formatDuration } from '../../src/protocol/format';
import type { Deadline } from '../lib/frame';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import type { EntryPart, PartContext } from './context';
import { FoldedContent } from './foldedContent';

/** The agent's reasoning: one dim line, which opens. */
export class ThoughtPart implements EntryPart<ThoughtView> {
  readonly element = document.createElement('div');
  readonly #head = document.createElement('div');
  readonly #content: FoldedContent;

  constructor(context: PartContext) {
    this.element.className = 'thought';
    this.element.appendChild(this.#head);
    this.#content = new FoldedContent(context, this.element);
  }

  update(view: ThoughtView): void {
    this.#content.update(view.id, view.content, view.streaming);
    const open = this.#content.isOpen;
    const label = view.streaming
      ? l10n.t('Thinking…')
      : view.durationMs === undefined
        ? l10n.t('Thought')
        : l10n.t('Thought for {0}', formatDuration(wholeSeconds(view.durationMs)));
    render(
      html`<button type="button" class="line-button" aria-expanded=${open} @click=${() => this.#content.toggle()}>
        ${view.streaming ? spinner() : icon(open ? 'chevron-down' : 'chevron-right')}<span class="label">${label}</span>
      </button>`,
      this.#head,
    );
  }

  append(part: number, text: string): void {
    this.#content.append(part, text);
  }

  draw(deadline: Deadline, near: boolean): boolean {
    return this.#content.draw(deadline, near);
  }
}

function wholeSeconds(ms: number): number {
  return ms < 1000 ? ms : Math.round(ms / 1000) * 1000;
}
