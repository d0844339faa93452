import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import type { PanelView } from '../../src/protocol/viewModel';
import { AgentIcons } from '../gallery/agentIcon';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import { contextGauge } from './contextGauge';
import type { PartContext } from '../parts/context';
import { hasFirstAction } from '../parts/faces';
import { OptionPickers } from './optionButtons';

/** The line with the reason why an option was not changed, until the user closes it or chooses again. */
class OptionProblem {
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
        : html`${icon('warning', 'attention')}<span>${optionProblem}</span><button type="button"
          class="icon-button codicon codicon-close" title=${l10n.t('Dismiss')} aria-label=${l10n.t('Dismiss')}
          @click=${close}></button>`,
      this.element,
    );
  }
}

/** The row under the message box: context, agent, the session's options, and Send or Stop. */
export class ComposerTools {
  readonly element = document.createElement('div');
  readonly problem: OptionProblem;
  readonly #pickers: OptionPickers;
  readonly #pictures = new AgentIcons();
  #drawn: readonly unknown[] = [];

  constructor(
    private readonly context: PartContext,
    private readonly actions: {
      readonly addContext: () => void;
      readonly send: () => void;
      readonly focus: () => void;
    },
  ) {
    this.problem = new OptionProblem(context);
    this.#pickers = new OptionPickers(context, () => this.#redraw(), actions.focus);
    this.element.className = 'composer-tools';
  }

  update(panel: PanelView, empty: boolean): void {
    this.problem.update(panel);
    // Called with each keystroke and each patch; draws only if something differs.
    const state = [
      panel.agent,
      panel.agentTitle,
      panel.agentIcon,
      panel.options,
      panel.favorites,
      panel.turn,
      panel.connection.state,
      panel.usage,
      panel.place,
      isAsked(panel),
      empty,
    ];
    if (state.every((value, i) => value === this.#drawn[i])) return;
    this.#drawn = state;
    this.#draw(panel, empty);
    this.#pickers.update();
  }

  #redraw(): void {
    this.#draw(this.context.panel(), this.#drawn.at(-1) === true);
  }

  #draw(panel: PanelView, empty: boolean): void {
    render(
      html`<button type="button" class="icon-button codicon codicon-add"
        title=${l10n.t('Add context: files, images, selection, problems, terminal, changes')}
        aria-label=${l10n.t('Add context')} @click=${this.actions.addContext}></button>
        ${this.#agentButton(panel)}${this.#placeButton(panel)}<span
          class="row-end"></span>${this.#pickers.template(panel.options)}
        <span class="end">${contextGauge(panel.usage)}${this.#action(panel, empty)}</span>`,
      this.element,
    );
  }

  #agentButton(panel: PanelView) {
    const name = panel.agent || l10n.t('Select an agent');
    const label = panel.agent === '' ? name : l10n.t('Agent: {0}', panel.agent);
    return html`<button type="button" class="picker agent" aria-label=${label}
      title=${l10n.t('Agent: {0}', panel.agentTitle ?? name)}
      @click=${() => this.context.post({ type: 'agent/select' })}>${
        panel.agent === '' ? nothing : this.#pictures.of(panel.agent, panel.agent, panel.agentIcon)
      }<span class="label">${name}</span>${icon('chevron-down', 'arrow')}</button>`;
  }

  #placeButton({ place }: PanelView) {
    if (place === undefined) return nothing;
    const [symbol, words] =
      typeof place === 'number'
        ? ['layers', l10n.t('{0} agents', place)]
        : place === 'worktree'
          ? ['git-branch', l10n.t('New worktree')]
          : ['folder', l10n.t('This folder')];
    const label = l10n.t('Works in: {0}', words);
    return html`<button type="button" class="picker place" aria-label=${label} title=${label}
      @click=${() => this.context.post({ type: 'place/choose' })}>${icon(symbol)}<span
        class="label">${words}</span></button>`;
  }

  #action(panel: PanelView, empty: boolean) {
    const { running, stopping, canForceStop, takesPrompt } = panel.turn;
    const quiet = isAsked(panel) ? 'quiet' : '';
    if (canForceStop) {
      return html`<button type="button" class="secondary force" title=${l10n.t('End the agent’s process')}
        @click=${() =>
          this.context.post({ type: 'notice/act', action: 'forceStop' })}>${l10n.t('Force Stop')}</button>`;
    }
    if (running) {
      return html`${
        empty
          ? nothing
          : html`<button type="button" class="send queue ${quiet} codicon codicon-arrow-up"
            aria-label=${l10n.t('Send')}
            title=${takesPrompt ? l10n.t('Send') : l10n.t('Queue: sent when the turn ends')}
            @click=${this.actions.send}></button>`
      }<button type="button" class="send stop" aria-label=${l10n.t('Stop')} title=${stopWords(panel)}
        ?disabled=${stopping}
        @click=${() => this.context.post({ type: 'turn/cancel' })}></button>`;
    }
    const blocked = empty || ['restricted', 'noAgents', 'noFolder'].includes(panel.connection.state);
    return html`<button type="button" class="send ${quiet} codicon codicon-arrow-up" aria-label=${l10n.t('Send')}
      title=${l10n.t('Send')} ?disabled=${blocked} @click=${this.actions.send}></button>`;
  }
}

/** Another question is pending, so Send is not the primary button. */
function isAsked(panel: PanelView): boolean {
  return panel.pendingQuestions.length > 0 || panel.waitingElsewhere.length > 0 || hasFirstAction(panel);
}

/** Stop ends the turn, and not what goes on beside it. */
function stopWords({ background }: PanelView): string {
  if (!background) return l10n.t('Stop');
  return background.length === 1
    ? l10n.t('Stop (but not 1 task in the background)')
    : l10n.t('Stop (but not {0} tasks in the background)', background.length);
}
