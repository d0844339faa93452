import * as l10n from '@vscode/l10n';
import { render } from 'lit-html';
import type { TurnChangesView } from '../../src/protocol/changeView';
import type { EntryId } from '../../src/protocol/entryId';
import { beginsTurn, type EntryView } from '../../src/protocol/entryView';
import type { PanelView } from '../../src/protocol/viewModel';
import { fileCount } from '../../src/protocol/format';
import { html } from '../lib/html';
import type { PartContext } from './context';
import { diffCounts } from './diffCard';

type Sum = Omit<TurnChangesView, 'turn'>;

/**
 * A quiet line below the last entry of each turn with pending changes: their size, and the actions for all of them. The
 * last turn has none if only its changes are pending: the bar over the message box, right below, shows the same.
 */
export class TurnChangeLines {
  readonly #lines = new Map<
    EntryId,
    { readonly element: HTMLElement; last: EntryId | undefined; drawn: TurnChangesView | undefined }
  >();

  /**
   * @param elementOf the element of an entry or of its fold, if that is drawn
   * @param standIn the entry whose line represents an entry
   */
  constructor(
    private readonly context: PartContext,
    private readonly elementOf: (id: EntryId) => HTMLElement | undefined,
    private readonly standIn: (id: EntryId) => EntryId,
    private readonly view: (id: EntryId) => EntryView | undefined,
  ) {}

  /** @param order all entries of the thread */
  update(
    { turnChanges = [], changes, moreChanges }: Pick<PanelView, 'turnChanges' | 'changes' | 'moreChanges'>,
    order: readonly EntryId[],
  ): void {
    const bar = sumOf(changes, moreChanges);
    const shown = turnChanges.filter((turn) => !isSame(turn, bar) || this.#endOf(turn, order) < order.length);
    const known = new Set(shown.map(({ turn }) => turn));
    for (const [turn, { element }] of this.#lines) {
      if (known.has(turn)) continue;
      element.remove();
      this.#lines.delete(turn);
    }
    for (const turn of shown) this.#place(turn, order);
  }

  /** Puts the lines behind entries that were drawn anew. */
  follow(ids: readonly EntryId[]): void {
    if (this.#lines.size === 0) return;
    const drawn = new Set(ids);
    for (const line of this.#lines.values())
      if (line.last !== undefined && (drawn.has(line.last) || drawn.has(this.standIn(line.last)))) this.#put(line);
  }

  #put({ element, last }: { readonly element: HTMLElement; readonly last: EntryId | undefined }): void {
    const entry = last === undefined ? undefined : this.elementOf(last);
    if (!entry) element.remove();
    else if (entry.nextSibling !== element) entry.after(element);
  }

  /** The end of the turn in the thread. @returns 0 if it is not in it */
  #endOf({ turn }: TurnChangesView, order: readonly EntryId[]): number {
    let end = order.indexOf(turn) + 1;
    while (end > 0 && end < order.length && !beginsTurn(this.view(order[end]!))) end++;
    return end;
  }

  #place(changes: TurnChangesView, order: readonly EntryId[]): void {
    const line = this.#lines.get(changes.turn) ?? {
      element: document.createElement('div'),
      last: undefined,
      drawn: undefined,
    };
    this.#lines.set(changes.turn, line);
    line.last = order[this.#endOf(changes, order) - 1];
    this.#put(line);
    if (line.drawn === changes) return;
    line.drawn = changes;
    const { turn, files, added, removed } = changes;
    const action = (name: string, label: string, type: 'change/openTurn' | 'change/undoTurn' | 'change/keepTurn') =>
      html`<button type="button" class="link" aria-label=${label}
        @click=${() => this.context.post({ type, turn })}>${name}</button>`;
    line.element.className = 'turn-changes';
    line.element.setAttribute('role', 'group');
    line.element.setAttribute('aria-label', l10n.t('Changes in this turn'));
    render(
      html`<span>${fileCount(files)}</span>${diffCounts(added, removed)}${action(
        l10n.t('Review'),
        l10n.t('Review changes in this turn'),
        'change/openTurn',
      )}${action(
        l10n.t('Undo'),
        l10n.t('Undo changes in this turn'),
        'change/undoTurn',
      )}${action(l10n.t('Keep'), l10n.t('Keep changes in this turn'), 'change/keepTurn')}`,
      line.element,
    );
  }
}

function sumOf(changes: PanelView['changes'], more: PanelView['moreChanges']): Sum {
  const sum = { files: more?.files ?? 0, added: more?.added ?? 0, removed: more?.removed ?? 0 };
  return changes.reduce(
    ({ files, added, removed }, change) => ({
      files: files + 1,
      added: added + change.added,
      removed: removed + change.removed,
    }),
    sum,
  );
}

function isSame(one: Sum, other: Sum): boolean {
  return one.files === other.files && one.added === other.added && one.removed === other.removed;
}
