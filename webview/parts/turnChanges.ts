import { html, render } from 'lit-html';
import type { EntryId, TurnChangesView } from '../../src/protocol/viewModel';
import { count } from '../lib/format';
import type { PartContext } from './context';
import { diffCounts } from './diffCard';

/** A quiet line below the last entry of each turn whose changes wait: how much it is, and what can be done with all of it. */
export class TurnChangeLines {
  private readonly lines = new Map<EntryId, { readonly element: HTMLElement; drawn: TurnChangesView | undefined }>();

  /** @param elementOf the element of an entry, if it is built @param isPrompt whether a turn begins with an entry */
  constructor(
    private readonly context: PartContext,
    private readonly elementOf: (id: EntryId) => HTMLElement | undefined,
    private readonly isPrompt: (id: EntryId) => boolean,
  ) {}

  /** @param order all entries of the thread */
  update(turns: readonly TurnChangesView[], order: readonly EntryId[]): void {
    const known = new Set(turns.map(({ turn }) => turn));
    for (const [turn, { element }] of this.lines) {
      if (known.has(turn)) continue;
      element.remove();
      this.lines.delete(turn);
    }
    for (const changes of turns) this.place(changes, order);
  }

  private place(changes: TurnChangesView, order: readonly EntryId[]): void {
    const start = order.indexOf(changes.turn);
    if (start < 0) return;
    let end = start + 1;
    while (end < order.length && !this.isPrompt(order[end]!)) end++;
    const last = this.elementOf(order[end - 1]!);
    if (!last) return;
    const line = this.lines.get(changes.turn) ?? { element: document.createElement('div'), drawn: undefined };
    this.lines.set(changes.turn, line);
    if (last.nextSibling !== line.element) last.after(line.element);
    if (line.drawn === changes) return;
    line.drawn = changes;
    const { turn, files, added, removed } = changes;
    const action = (name: string, type: 'change/openTurn' | 'change/undoTurn' | 'change/keepTurn') =>
      html`<button type="button" class="link" aria-label=${`${name} changes of this turn`} @click=${() => this.context.post({ type, turn })}>${name}</button>`;
    line.element.className = 'turn-changes';
    line.element.setAttribute('role', 'group');
    line.element.setAttribute('aria-label', 'Changes of this turn');
    render(
      html`<span>${count(files, 'file')}</span>${diffCounts(added, removed)}${action('Review', 'change/openTurn')}${action('Undo', 'change/undoTurn')}${action('Keep', 'change/keepTurn')}`,
      line.element,
    );
  }
}
