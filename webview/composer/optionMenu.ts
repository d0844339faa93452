import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { visibleText } from '../../src/base/visibleText';
import { longList, type OptionView, type SelectOptionView } from '../../src/protocol/optionView';
import type { PanelView } from '../../src/protocol/viewModel';
import { isFocusWithin } from '../lib/focus';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from '../parts/context';
import { middleCut } from './middleCut';
import { choiceRows, optionRows, type Row } from './optionRows';
import { focusOn, reveal } from '../lib/reveal';

/** The content of the menu: the values of one option, or the options that `isMeant` selects at each drawing. */
export type OptionMenuSubject =
  | { readonly kind: 'choices'; readonly key: string }
  | { readonly kind: 'options'; readonly isMeant: (key: string) => boolean };

/** The most rows that are drawn, around the current one; typing narrows a longer list. */
const mostRows = 1_000;

/**
 * The list over the row of tools: the values of one option, or the options without a picker in the row. The focus is on
 * the list, or on its search box; `aria-activedescendant` names the active row. It follows the panel.
 */
export class OptionMenu {
  readonly element = document.createElement('div');
  #subject: OptionMenuSubject | undefined;
  /** The list to return to from the values of an option. */
  #behind: OptionMenuSubject | undefined;
  #rows: readonly Row[] = [];
  #active = 0;
  #query = '';
  #owner: HTMLElement | undefined;
  #drawnOptions: readonly OptionView[] = [];
  #drawnFavorites: PanelView['favorites'];

  constructor(
    private readonly context: PartContext,
    /** The menu was opened, closed or changed its subject. */
    private readonly onDidChange: () => void,
    private readonly focusComposer: () => void,
  ) {
    this.element.className = 'option-menu';
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.#handleKey(event));
    this.element.addEventListener('focusout', (event) => {
      if (!this.element.contains(event.relatedTarget as Node | null)) this.close();
    });
    window.addEventListener('resize', () => this.close());
  }

  /** The button of the open menu. */
  get openBy(): HTMLElement | undefined {
    return this.#owner;
  }

  /** Opens the menu at a button, or closes it if it is already open there. */
  toggle(owner: HTMLElement, subject: OptionMenuSubject): void {
    const wasOpen = this.#owner === owner;
    this.close();
    if (wasOpen) return;
    this.#owner = owner;
    this.element.hidden = false;
    this.#show(subject, undefined);
    const row = owner.parentElement!;
    const left = Math.min(owner.offsetLeft, row.clientWidth - this.element.offsetWidth);
    this.element.style.left = `${Math.max(0, left)}px`;
    this.onDidChange();
  }

  close(): void {
    if (!this.#owner) return;
    this.#owner = undefined;
    this.#subject = undefined;
    this.element.hidden = true;
    render(nothing, this.element);
    this.onDidChange();
  }

  /** Follows the panel while the menu is open. */
  update(): void {
    const { options, favorites } = this.context.panel();
    if (this.#subject && (this.#drawnOptions !== options || this.#drawnFavorites !== favorites)) this.#draw();
  }

  #show(subject: OptionMenuSubject, behind: OptionMenuSubject | undefined, active?: string): void {
    this.#subject = subject;
    this.#behind = behind;
    this.#query = '';
    // A removed search box with the focus would close the menu.
    if (document.activeElement instanceof HTMLInputElement) focusOn(this.element.querySelector('ul'));
    // Begin at the row in force.
    this.#active = 0;
    this.#rows = this.#findRows() ?? [];
    this.#active = Math.max(
      0,
      this.#rows.findIndex((row) => (active === undefined ? row.checked && row.role === 'option' : row.id === active)),
    );
    this.#draw();
    this.#focusTarget().focus({ preventScroll: true });
  }

  /** @returns undefined if there is nothing left to show. */
  #findRows(): Row[] | undefined {
    const { options } = this.context.panel();
    if (!this.#subject) return undefined;
    if (this.#subject.kind === 'options') {
      const { isMeant } = this.#subject;
      const listed = options.filter((option) => isMeant(option.key));
      return listed.length > 0 ? optionRows(listed) : undefined;
    }
    const option = this.#subjectOption();
    if (!option) return undefined;
    const words = this.#query.toLowerCase().split(/\s+/);
    // In the agent's order, so that groups stay together.
    const rows = choiceRows(option, this.context.panel().favorites?.[option.key]).filter((row) =>
      words.every((word) => `${row.label} ${row.group ?? ''}`.toLowerCase().includes(word)),
    );
    const current = this.#query === '' ? rows.findIndex((row) => row.checked) : 0;
    const from = Math.max(0, Math.min(current - mostRows / 2, rows.length - mostRows));
    return rows.slice(from, from + mostRows);
  }

  #subjectOption(): SelectOptionView | undefined {
    const subject = this.#subject;
    const option =
      subject?.kind === 'choices' ? this.context.panel().options.find(({ key }) => key === subject.key) : undefined;
    return option?.type === 'select' ? option : undefined;
  }

  #draw(): void {
    const active = this.#rows[this.#active]?.id;
    const rows = this.#findRows();
    // The agent has withdrawn the option.
    if (!rows) return this.#leave(false);
    this.#rows = rows;
    this.#drawnOptions = this.context.panel().options;
    this.#drawnFavorites = this.context.panel().favorites;
    const same = rows.findIndex((row) => row.id === active);
    this.#active = same >= 0 ? same : Math.min(this.#active, Math.max(0, rows.length - 1));
    const option = this.#subjectOption();
    const name = option?.name ?? l10n.t('Session options');
    const canSearch = option !== undefined && option.choices.length >= longList;
    render(
      html`${
        canSearch
          ? html`<input type="text" role="combobox" aria-label=${l10n.t('Search: {0}', name)} aria-expanded="true"
            aria-controls="option-list" aria-autocomplete="list"
            placeholder=${l10n.t('Search {0} items', option.choices.length)} spellcheck="false"
              .value=${this.#query} @input=${(event: Event) =>
                this.#search((event.target as HTMLInputElement).value)} />`
          : nothing
      }
        <ul id="option-list" tabindex="-1" role=${option ? 'listbox' : 'menu'} aria-label=${name}>${repeat(
          this.#rows,
          (row) => row.id,
          (row, i) => this.#row(row, i),
        )}</ul>
        <div class=${rows.length === 0 ? 'option-details' : 'visually-hidden'} role="status">${
          rows.length === 0 ? l10n.t('No results found') : nothing
        }</div><div class="option-details" id="option-details"></div>`,
      this.element,
    );
    this.#mark();
  }

  #row(row: Row, i: number) {
    const heading = row.group !== undefined && row.group !== this.#rows[i - 1]?.group ? row.group : undefined;
    const [selected, checked] = [
      row.role === 'option' ? String(row.checked === true) : nothing,
      row.role === 'menuitemcheckbox' ? String(row.checked === true) : nothing,
    ];
    return html`${
      heading === undefined ? nothing : html`<li role="presentation" class="heading">${heading}</li>`
    }<li role=${row.role} class="row" id=${`option-row-${i}`} aria-selected=${selected} aria-checked=${checked}
        aria-label=${row.group === undefined ? row.name : `${row.name}, ${row.group}`}
        aria-haspopup=${row.opens === undefined ? nothing : 'listbox'}
        @click=${() => this.#accept(i, false)} @mousemove=${() => this.#moveTo(i)}><span
          class="check">${row.checked ? icon('check') : nothing}</span>${middleCut(row.label)}${
            row.warns ? icon('warning', 'attention') : nothing
          }${
            row.detail === undefined ? nothing : html`<span class="dim detail">${row.detail}</span>`
          }${row.opens === undefined ? nothing : icon('chevron-right')}${this.#star(row)}</li>`;
  }

  /** Marks a favorite in a long list. The key is Shift+Enter, so that the list stays one tab stop. */
  #star(row: Row) {
    if (row.favorite === undefined) return nothing;
    const mark = (event: Event) => {
      event.stopPropagation();
      this.#toggleFavorite(row);
    };
    return html`<span class="star"
      title=${row.favorite ? l10n.t('Remove from Favorites (Shift+Enter)') : l10n.t('Add to Favorites (Shift+Enter)')}
      @click=${mark}>${icon(row.favorite ? 'star-full' : 'star-empty')}</span>`;
  }

  #toggleFavorite(row: Row | undefined): void {
    if (row?.favorite === undefined || row.role !== 'option') return;
    const { key, value } = row.sets;
    this.context.post({ type: 'option/favorite', key, value: String(value), isFavorite: !row.favorite });
  }

  #search(query: string): void {
    this.#query = query;
    this.#active = 0;
    this.#rows = [];
    this.#draw();
  }

  #accept(index: number, byKeyboard: boolean): void {
    const row = this.#rows[index];
    if (!row) return;
    this.#active = index;
    if (row.opens !== undefined) return this.#show({ kind: 'choices', key: row.opens }, this.#subject);
    this.context.post({ type: 'option/set', key: row.sets.key, value: row.sets.value });
    // After a switch, the user often changes further options.
    if (row.role === 'option') this.#leave(byKeyboard);
  }

  /** Closes the menu. The keyboard focus returns; after a click, it goes to the message box. */
  #leave(byKeyboard: boolean): void {
    const owner = this.#owner;
    const hadFocus = isFocusWithin(this.element);
    this.close();
    if (!hadFocus) return;
    if (byKeyboard && owner?.checkVisibility()) focusOn(owner);
    else this.focusComposer();
  }

  #handleKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const inSearch = event.target instanceof HTMLInputElement;
    const last = this.#rows.length - 1;
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      ArrowDown: () => this.#moveTo(this.#active === last ? 0 : this.#active + 1),
      ArrowUp: () => this.#moveTo(this.#active === 0 ? last : this.#active - 1),
      Home: inSearch ? undefined : () => this.#moveTo(0),
      End: inSearch ? undefined : () => this.#moveTo(last),
      Enter: () => (event.shiftKey ? this.#toggleFavorite(this.#rows[this.#active]) : this.#accept(this.#active, true)),
      ' ': inSearch ? undefined : () => this.#accept(this.#active, true),
      ArrowRight:
        !inSearch && this.#rows[this.#active]?.opens !== undefined ? () => this.#accept(this.#active, true) : undefined,
      ArrowLeft: !inSearch && this.#behind ? () => this.#back() : undefined,
      Escape: () => (this.#behind ? this.#back() : this.#leave(true)),
    };
    const act = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (act) {
      event.preventDefault();
      event.stopPropagation();
      act();
    } else if (event.key === 'Tab') {
      // The focus continues from the button, as if the menu had not been there.
      const owner = this.#owner;
      this.close();
      focusOn(owner);
    } else if (!inSearch && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey)
      this.#typeAhead(event.key.toLowerCase());
  }

  #back(): void {
    const behind = this.#behind;
    const subject = this.#subject;
    if (behind) this.#show(behind, undefined, subject?.kind === 'choices' ? subject.key : undefined);
  }

  /** Goes to the next row whose name begins with the letter. */
  #typeAhead(letter: string): void {
    const count = this.#rows.length;
    for (let step = 1; step <= count; step++) {
      const index = (this.#active + step) % count;
      if (this.#rows[index]!.label.toLowerCase().startsWith(letter)) return this.#moveTo(index);
    }
  }

  #moveTo(index: number): void {
    if (index === this.#active || index < 0) return;
    this.#active = index;
    this.#mark();
  }

  #focusTarget(): HTMLElement {
    return this.element.querySelector('input') ?? this.element.querySelector<HTMLElement>('ul')!;
  }

  /** Marks the active row, and shows its description. */
  #mark(): void {
    for (const [i, row] of this.element.querySelectorAll('.row').entries())
      row.classList.toggle('active', i === this.#active);
    const row = this.#rows[this.#active];
    const target = this.#focusTarget();
    if (row) target.setAttribute('aria-activedescendant', `option-row-${this.#active}`);
    else target.removeAttribute('aria-activedescendant');
    const shown = this.element.querySelector(`#option-row-${this.#active}`);
    shown?.setAttribute('aria-describedby', 'option-details');
    reveal(shown);
    this.element.querySelector('#option-details')!.textContent = visibleText(row?.description ?? '');
  }
}
