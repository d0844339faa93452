import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { OptionView, SelectOptionView } from '../../src/protocol/optionView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from '../parts/context';
import { middleCut, shortModelName } from './middleCut';
import type { OptionMenu, OptionMenuSubject } from './optionMenu';

let menuCode: typeof import('./optionMenu') | undefined;

/** Loads the menu's code after the panel is drawn, so that the first press of a picker need not wait. */
export async function loadOptionMenu(): Promise<void> {
  menuCode = await import('./optionMenu');
}

/**
 * The pickers of the session's options in the row under the message box: mode, model and thought level each separately,
 * all others behind one button. If the row is too narrow, the stylesheet adds a second one, and hides the thought
 * level, which is then behind that button.
 */
export class OptionPickers {
  /** Loaded when it is first opened. */
  #menu: OptionMenu | undefined;

  /** @param onDidChange asks for the row to be drawn again */
  constructor(
    private readonly context: PartContext,
    private readonly onDidChange: () => void,
    private readonly focusComposer: () => void,
  ) {}

  /** Follows the panel while the menu is open. */
  update(): void {
    this.#menu?.update();
  }

  #toggle(owner: HTMLElement, subject: OptionMenuSubject): void {
    if (!this.#menu && !menuCode) return void loadOptionMenu().then(() => this.#toggle(owner, subject));
    if (!this.#menu) {
      this.#menu = new menuCode!.OptionMenu(this.context, this.onDidChange, this.focusComposer);
      // It is in the row from now on.
      this.onDidChange();
    }
    this.#menu.toggle(owner, subject);
  }

  template(options: readonly OptionView[]) {
    const inRow = options.filter(
      (option): option is SelectOptionView => option.type === 'select' && option.role !== undefined,
    );
    const from =
      options.length > inRow.length
        ? 'always'
        : inRow.some(({ role }) => role === 'thoughtLevel')
          ? 'medium'
          : undefined;
    return html`${repeat(
      inRow,
      ({ key }) => key,
      (option) => this.#picker(option),
    )}${from === undefined ? nothing : this.#more(from)}${this.#menu?.element ?? nothing}`;
  }

  #picker(option: SelectOptionView) {
    const { name, valueName, role } = option;
    const description = option.choices.find(({ value }) => value === option.value)?.description;
    const symbol = { mode: option.permissive ? 'unlock' : 'shield', model: 'chip', thoughtLevel: 'thinking' }[role!];
    const id = `picker-${role}`;
    return html`<button type="button" id=${id} class="picker ${role!} ${option.permissive ? 'permissive' : ''}"
      data-option=${option.key} aria-label=${`${name}: ${valueName}`} aria-haspopup="listbox"
      aria-expanded=${String(this.#menu?.openBy?.id === id)} aria-busy=${String(option.pending)}
      title=${`${name}: ${valueName}${description ? `\n${description}` : ''}`}
      @mousedown=${keepFocus} @keydown=${openWithArrows}
      @click=${(event: Event) =>
        this.#toggle(event.currentTarget as HTMLElement, { kind: 'choices', key: option.key })}>${icon(
        symbol,
        'symbol',
      )}${
        role === 'model' ? middleCut(shortModelName(valueName)) : html`<span class="label">${valueName}</span>`
      }${option.pending ? icon('loading', 'arrow codicon-modifier-spin') : icon('chevron-down', 'arrow')}</button>`;
  }

  #more(from: string) {
    return html`<button type="button" id="picker-options"
      class="icon-button codicon codicon-settings options from-${from}" title=${l10n.t('Session options')}
      aria-label=${l10n.t('Session options')} aria-haspopup="menu"
      aria-expanded=${String(this.#menu?.openBy?.id === 'picker-options')} @mousedown=${keepFocus}
      @keydown=${openWithArrows} @click=${(event: Event) =>
        this.#openOptions(event.currentTarget as HTMLElement)}></button>`;
  }

  /** Opens the options without a currently visible picker. */
  #openOptions(button: HTMLElement): void {
    const row = button.parentElement!;
    const inRow = (key: string) =>
      [...row.querySelectorAll<HTMLElement>('[data-option]')].some(
        (picker) => picker.dataset['option'] === key && picker.checkVisibility(),
      );
    this.#toggle(button, { kind: 'options', isMeant: (key) => !inRow(key) });
  }
}

/** Without this, pressing the button would close the menu, and the click would open it again. */
function keepFocus(event: Event): void {
  event.preventDefault();
}

function openWithArrows(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  (event.currentTarget as HTMLElement).click();
}
