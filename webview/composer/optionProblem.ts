import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import type { PanelView } from '../../src/protocol/viewModel';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from '../parts/context';

/** The line with the reason why an option was not changed, until the user closes it or chooses again. */
export class OptionProblem {
  readonly element = document.createElement('div');
  #shown: string | undefined;

  constructor(private readonly context: PartContext) {
    this.element.className = 'option-problem';
    this.element.setAttribute('role', 'alert');
  }

  update({ optionProblem }: PanelView): void {
    if (this.#shown === optionProblem) return;
    this.#shown = optionProblem;
    const close = () => this.context.post({ type: 'optionProblem/dismiss' });
    render(
      optionProblem === undefined
        ? nothing
        : html`${icon('warning', 'attention')}<span>${optionProblem}</span><button type="button" class="icon-button codicon codicon-close" title=${l10n.t('Dismiss')} aria-label=${l10n.t('Dismiss')} @click=${close}></button>`,
      this.element,
    );
  }
}
