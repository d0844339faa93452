import * as l10n from '@vscode/l10n';
import { render } from 'lit-html';
import type { NewProblemsView } from '../../src/protocol/changeView';
import type { EntryId } from '../../src/protocol/entryId';
import { html } from '../lib/html';
import type { PartContext } from './context';

/** The line below the last answer whose turn left new errors. It is below the line with the turn's changes. */
export class NewProblemsLine {
  readonly #element = document.createElement('div');
  #shown: { readonly problems: NewProblemsView; readonly last: EntryId | undefined } | undefined;

  /** @param elementOf the element of an entry or of its fold, if that is drawn */
  constructor(
    private readonly context: PartContext,
    private readonly elementOf: (id: EntryId) => HTMLElement | undefined,
  ) {
    this.#element.className = 'turn-changes new-problems';
    this.#element.setAttribute('role', 'group');
    this.#element.setAttribute('aria-label', l10n.t('New problems'));
  }

  /** @param order all entries of the thread; its last turn left the problems */
  update(problems: NewProblemsView | undefined, order: readonly EntryId[]): void {
    const drawn = this.#shown?.problems;
    this.#shown = problems && { problems, last: order.at(-1) };
    if (problems && problems.count !== drawn?.count) this.#draw(problems);
    this.place();
  }

  /** Puts the line behind entries that were drawn anew. */
  place(): void {
    const entry = this.#shown?.last === undefined ? undefined : this.elementOf(this.#shown.last);
    const next = entry?.nextElementSibling;
    const changes = next?.matches('.turn-changes') && next !== this.#element ? next : undefined;
    const above = changes ?? entry;
    if (!above) this.#element.remove();
    else if (above.nextSibling !== this.#element) above.after(this.#element);
  }

  #draw({ count }: NewProblemsView): void {
    const action = (name: string, label: string, type: 'problems/show' | 'problems/ask') =>
      html`<button type="button" class="link" aria-label=${label}
        @click=${() => this.context.post({ type })}>${name}</button>`;
    const words = count === 1 ? l10n.t('1 new problem') : l10n.t('{0} new problems', count);
    const icon = html`<span class="codicon codicon-error" aria-hidden="true"></span>`;
    const show = action(l10n.t('Show'), l10n.t('Show new problems'), 'problems/show');
    const ask = action(l10n.t('Ask to fix'), l10n.t('Ask the agent to fix the new problems'), 'problems/ask');
    render(html`<span class="new-problems-count">${icon}${words}</span>${show}${ask}`, this.#element);
  }
}
