import { nothing, render } from 'lit-html';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import { reveal } from '../lib/reveal';

export interface CompletionItem {
  readonly key: string;
  readonly icon: string;
  readonly label: string;
  readonly detail: string;
  /** Heading over the first of neighbours with the same one. */
  readonly group?: string;
}

export interface CompletionNote {
  readonly words: string;
  /** Further items may follow. */
  readonly isLoading: boolean;
}

/** The list over the message box. The focus stays in the box; `aria-activedescendant` names the active option. */
export class CompletionPopup {
  readonly element = document.createElement('div');
  #items: readonly CompletionItem[] = [];
  #active = 0;
  #open = false;

  constructor(
    private readonly owner: HTMLElement,
    private readonly choose: (index: number) => void,
  ) {
    this.element.className = 'completion';
    this.element.hidden = true;
    owner.setAttribute('aria-autocomplete', 'list');
    owner.setAttribute('aria-haspopup', 'listbox');
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** The option that Enter takes, or -1. */
  get activeIndex(): number {
    return this.#items.length > 0 ? this.#active : -1;
  }

  /** @param note the reason if there are no items */
  show(name: string, items: readonly CompletionItem[], note?: CompletionNote): void {
    if (this.#items[this.#active]?.key !== items[this.#active]?.key) this.#active = 0;
    this.#items = items;
    this.#open = true;
    this.element.hidden = false;
    this.#draw(name, note);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#items = [];
    this.#active = 0;
    this.element.hidden = true;
    render(nothing, this.element);
    this.owner.removeAttribute('aria-activedescendant');
    this.owner.removeAttribute('aria-controls');
  }

  move(by: number): void {
    if (this.#items.length === 0) return;
    this.#active = (this.#active + by + this.#items.length) % this.#items.length;
    this.#mark();
  }

  #draw(name: string, note: CompletionNote | undefined): void {
    render(
      html`<ul role="listbox" id="completion-list" aria-label=${name}>${this.#items.map(
        (item, i) => html`${
          item.group === undefined || item.group === this.#items[i - 1]?.group
            ? nothing
            : html`<li
            class="dim completion-group" role="presentation">${item.group}</li>`
        }<li role="option" id=${`completion-${i}`} @mousedown=${(event: Event) => event.preventDefault()}
          @click=${() => this.choose(i)}
            @mousemove=${() => this.#hover(i)}>${icon(item.icon)}<span class="label">${item.label}</span><span
              class="dim detail">${item.detail}</span></li>`,
      )}</ul><div class="dim ${this.#items.length > 0 ? 'visually-hidden' : 'completion-note'}" role="status">${
        this.#items.length > 0 || !note ? nothing : html`${note.isLoading ? html`${spinner()} ` : nothing}${note.words}`
      }</div>`,
      this.element,
    );
    this.owner.setAttribute('aria-controls', 'completion-list');
    this.#mark();
  }

  #hover(index: number): void {
    if (index === this.#active) return;
    this.#active = index;
    this.#mark();
  }

  #mark(): void {
    const options = this.element.querySelectorAll('[role=option]');
    for (const [i, option] of options.entries()) option.setAttribute('aria-selected', String(i === this.#active));
    if (this.#items.length > 0) this.owner.setAttribute('aria-activedescendant', `completion-${this.#active}`);
    else this.owner.removeAttribute('aria-activedescendant');
    reveal(options[this.#active]);
  }
}
