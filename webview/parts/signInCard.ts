import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { SignInAct, SignInMethodView, SignInView } from '../../src/protocol/signInView';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import { elapsedElement } from '../lib/ticker';
import type { PartContext } from './context';
import { AnswerDelay } from './answerDelay';

const icons: Record<SignInMethodView['kind'], string> = { agent: 'sign-in', terminal: 'terminal', apiKey: 'key' };

/** The sign-in card: the agent's methods in its own words, the command before it runs, and the current attempt. */
export class SignInCard {
  readonly #clock: AnswerDelay;
  #since: { readonly at: number; readonly element: HTMLElement } | undefined;

  /** @param redraw draws the card again: for a moment after it came it takes no click */
  constructor(
    private readonly context: PartContext,
    redraw: () => void,
  ) {
    this.#clock = new AnswerDelay(redraw);
  }

  template(agent: string, view: SignInView) {
    const title = l10n.t('Sign in to {0}', agent || l10n.t('the agent'));
    const waits = view.step.type === 'choose' || view.step.type === 'confirm';
    return html`<div class="card permission sign-in ${waits ? '' : 'under-way'}" role="group" aria-label=${title}
      tabindex="-1" data-sign-in>
      <div class="card-head">${icon('account', waits ? 'attention' : '')}<span class="title">${title}</span></div>
      ${this.#step(view)}
    </div>`;
  }

  #step(view: SignInView) {
    const { step } = view;
    switch (step.type) {
      case 'choose':
        return this.#choice(view);
      case 'confirm':
        return html`<div class="permission-body">
            <p>${l10n.t(
              '“{0}” runs this command in a terminal. The command comes from the agent.',
              nameOf(view, step.methodId),
            )}</p>
            <pre class="asked" tabindex="0" aria-label=${l10n.t('Command')}>${step.command}</pre>
            ${step.variables.map(
              (variable) => html`<div class="asked-path">${icon('symbol-variable')}<code>${variable}</code></div>`,
            )}
            <div class="asked-path dim">${icon('folder')}<span>${step.folder}</span></div>
          </div>
          <div class="buttons">${this.#button(
            view,
            'run',
            l10n.t('Run in Terminal'),
            'primary',
          )}${this.#button(view, 'back', l10n.t('Back'))}</div>`;
      case 'trying':
        return html`${this.#progress(
          l10n.t('Signing in with “{0}”', nameOf(view, step.methodId)),
          l10n.t('The agent may ask for input here or open your browser.'),
          step.since,
        )}
          <div class="buttons">${this.#button(view, 'back', l10n.t('Cancel'))}</div>`;
      case 'terminal':
        return html`${this.#progress(
          l10n.t('“{0}” runs in the terminal', nameOf(view, step.methodId)),
          l10n.t(
            'Complete the sign-in in the terminal. Parley continues when the command ends, or when you select “I ' +
              'Have Signed In”.',
          ),
          step.since,
        )}
          <div class="buttons">${this.#button(view, 'done', l10n.t('I Have Signed In'), 'primary')}${this.#button(
            view,
            'showTerminal',
            l10n.t('Show Terminal'),
          )}${this.#button(view, 'back', l10n.t('Cancel'))}</div>`;
    }
  }

  #choice(view: SignInView) {
    const { requestId } = view;
    const ready = this.#clock.isReady(requestId);
    return html`<div class="permission-body">
        ${
          view.problem
            ? html`<div class="form-error" role="alert">${icon('error')}<span>${view.problem}</span></div>`
            : nothing
        }
        ${view.reason ? html`<p class="dim">${withCode(view.reason)}</p>` : nothing}
        ${
          view.needed && this.context.panel().turn.running
            ? html`<p class="dim">${l10n.t('Your message will be sent after you sign in.')}</p>`
            : nothing
        }
        <div class="sign-in-methods">${view.methods.map(
          (method) => html`<button type="button" class="sign-in-method" ?disabled=${!ready}
            @click=${() => this.context.post({ type: 'signIn/choose', requestId, methodId: method.id })}>
            ${icon(icons[method.kind])}<span class="sign-in-words"><span>${withCode(method.name)}</span>${
              method.description ? html`<span class="dim">${withCode(method.description)}</span>` : nothing
            }</span>
          </button>`,
        )}</div>
      </div>
      <div class="buttons">${this.#button(view, 'dismiss', l10n.t('Not Now'))}</div>`;
  }

  #progress(what: string, help: string, since: number) {
    if (this.#since?.at !== since) this.#since = { at: since, element: elapsedElement(since) };
    return html`<div class="permission-body">
      <div class="sign-in-progress" role="status">${spinner()}<span>${what}</span><span class="dim end"
        aria-hidden="true">${this.#since.element}</span></div>
      <p class="dim">${help}</p>
    </div>`;
  }

  #button({ requestId }: SignInView, act: SignInAct, label: string, look = 'secondary') {
    return html`<button type="button" class=${look}
      @click=${() => this.context.post({ type: 'signIn/act', requestId, act })}>${label}</button>`;
  }
}

function nameOf({ methods }: SignInView, methodId: string): string {
  return methods.find(({ id }) => id === methodId)?.name ?? methodId;
}

/** A text in which an agent marks code with backticks, as in Markdown; all else is plain text. */
function withCode(text: string): readonly unknown[] {
  const parts = text.split(/(`[^`\n]+`)/);
  return parts.map((part, i) => (i % 2 === 1 ? html`<code>${part.slice(1, -1)}</code>` : html`${part}`));
}
