import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import type { CompactionView } from '../../src/protocol/entryView';
import type { Deadline } from '../lib/frame';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import { elapsedElement } from '../lib/ticker';
import type { EntryPart, PartContext } from './context';
import { FoldedContent } from './foldedContent';

/**
 * Marks where the agent replaced the earlier conversation by a summary: a thin line across the thread, which opens the
 * summary.
 */
export class CompactionPart implements EntryPart<CompactionView> {
  readonly element = document.createElement('div');
  readonly #head = document.createElement('div');
  readonly #summary: FoldedContent;
  #elapsed: HTMLElement | undefined;

  constructor(context: PartContext) {
    this.element.appendChild(this.#head);
    this.element.setAttribute('role', 'group');
    this.#summary = new FoldedContent(context, this.element);
  }

  update(view: CompactionView): void {
    const { status, content, error } = view;
    this.element.className = `compaction compaction-${status}`;
    this.element.setAttribute('aria-label', statusWords(status));
    this.#summary.update(view.id, content, status === 'running');
    if (status === 'running') this.#elapsed ??= elapsedElement(view.startedAt);
    else this.#elapsed = undefined;
    render(
      html`<div class="compaction-line">${
        content.length > 0 ? this.#button(view) : html`<span class="compaction-words">${this.#words(view)}</span>`
      }</div>
      ${error ? html`<p class="notice-detail">${error}</p>` : nothing}`,
      this.#head,
    );
  }

  append(part: number, text: string): void {
    this.#summary.append(part, text);
  }

  draw(deadline: Deadline, near: boolean): boolean {
    return this.#summary.draw(deadline, near);
  }

  #button(view: CompactionView) {
    const open = this.#summary.isOpen;
    return html`<button type="button" class="line-button compaction-words"
      title=${open ? l10n.t('Hide summary') : l10n.t('Show summary')} aria-expanded=${open}
      @click=${() => this.#summary.toggle()}>
      ${this.#words(view)}${icon(open ? 'chevron-down' : 'chevron-right')}
    </button>`;
  }

  #words({ status }: CompactionView) {
    const sign =
      status === 'running'
        ? spinner()
        : icon(status === 'completed' ? 'fold' : status === 'failed' ? 'error' : 'circle-slash', status);
    return html`${sign}<span class="label">${statusWords(status)}</span>${this.#elapsed ?? nothing}`;
  }
}

function statusWords(status: CompactionView['status']): string {
  switch (status) {
    case 'running':
      return l10n.t('Compacting conversation…');
    case 'completed':
      return l10n.t('Conversation compacted');
    case 'failed':
      return l10n.t('Compaction failed');
    case 'cancelled':
      return l10n.t('Compaction stopped');
  }
}
