import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import type { PanelUiState } from '../../src/protocol/viewModel';
import { html } from '../lib/html';
import { icon } from '../lib/icon';

/** The line over the message box that says that an earlier message is edited there. */
export class PromptEdit {
  readonly element = document.createElement('div');
  #state: PanelUiState['editing'];

  /** @param cancel ends the edit without a change */
  constructor(private readonly cancel: () => void) {
    this.element.className = 'prompt-edit';
    this.element.setAttribute('role', 'status');
  }

  /** The edited message, and the draft that returns after it. */
  get current(): PanelUiState['editing'] {
    return this.#state;
  }

  set(state: PanelUiState['editing']): void {
    this.#state = state;
    const words = l10n.t('Editing an earlier message. Sending replaces it and everything after it.');
    render(
      state
        ? html`${icon('edit')}<span class="label" title=${words}>${words}</span><button type="button"
          class="link-button" title=${l10n.t('Cancel (Escape)')} @click=${this.cancel}>${l10n.t('Cancel')}</button>`
        : nothing,
      this.element,
    );
  }
}
