import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import type { StarterView } from '../../src/protocol/galleryView';
import type { PanelView } from '../../src/protocol/viewModel';
import { AgentIcons } from '../gallery/agentIcon';
import { isFocusWithin } from '../lib/focus';
import { filled, html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import { LateCode } from '../lib/latePart';
import { elapsedElement } from '../lib/ticker';
import type { PartContext } from './context';
import { helps, noticeActions } from './notice';
import type { SignInCard } from './signInCard';
import { reveal } from '../lib/reveal';

const signInCards = new LateCode(() => import('./signInCard'));

/**
 * The states of an empty thread, or the line below its entries: no agent, an agent that starts or failed, a restricted
 * workspace, or three suggested prompts. Each has one short sentence and one button.
 */
export class Face {
  readonly element = document.createElement('div');
  readonly #pictures = new AgentIcons();
  #signIn: SignInCard | undefined;
  #last: { readonly panel: PanelView; readonly empty: boolean } | undefined;
  #since: { readonly at: number; readonly element: HTMLElement } | undefined;

  /** @param fill puts a suggestion into the message box */
  constructor(
    private readonly context: PartContext,
    private readonly fill: (text: string) => void,
  ) {}

  update(panel: PanelView, empty: boolean): void {
    this.#last = { panel, empty };
    const hadFocus = isFocusWithin(this.element);
    // A removed clock has stopped.
    if (panel.signIn) this.#since = undefined;
    this.element.className = `face ${empty ? 'whole' : 'below'}`;
    render(
      panel.signIn ? (this.#card()?.template(panel.agent, panel.signIn) ?? nothing) : this.#template(panel, empty),
      this.element,
    );
    // The focus of the card stays near it.
    if (hadFocus && !this.element.contains(document.activeElement)) this.focusCard();
  }

  #card(): SignInCard | undefined {
    const redraw = () => this.#last && this.update(this.#last.panel, this.#last.empty);
    const code = signInCards.get(redraw, this.context.log);
    return (this.#signIn ??= code && new code.SignInCard(this.context, redraw));
  }

  /** Moves the focus onto the sign-in card. @returns false if there is none. */
  focusCard(): boolean {
    const card = this.element.querySelector<HTMLElement>('[data-sign-in]');
    reveal(card);
    card?.focus({ preventScroll: true });
    return card !== null;
  }

  #template(panel: PanelView, empty: boolean) {
    const connection = panel.connection;
    switch (connection.state) {
      case 'restricted':
        return html`<h2>${icon('shield')}${l10n.t('Restricted Mode')}</h2>
          <p>${l10n.t('Agents run programs and change files. They start only in a workspace that you trust.')}</p>
          <div class="buttons"><button type="button" class="primary"
            @click=${() =>
              this.context.post({ type: 'trust/manage' })}>${l10n.t('Manage Workspace Trust')}</button></div>`;
      case 'noAgents':
        return html`<h2>${icon('plug')}${l10n.t('No agents configured')}</h2>
          <p>${filled(l10n.t('Add an agent to the {0} setting to get started.'), html`<code>parley.agents</code>`)}</p>
          ${noticeActions(['editSettings'], this.context, { isPrimary: true })}`;
      case 'noFolder':
        return html`<h2>${icon('folder')}${l10n.t('Open a folder first')}</h2>
          <p>${l10n.t(
            '{0} works on the files in a folder. To try it out, use Parley’s own empty scratch folder.',
            panel.agent,
          )}</p>
          ${noticeActions(['openFolder', 'openRecent', 'useScratchFolder'], this.context, { isPrimary: true })}`;
      case 'starting': {
        if (this.#since?.at !== connection.since)
          this.#since = { at: connection.since, element: elapsedElement(connection.since) };
        // Waiting for the user is not the agent's time.
        const isAsked = panel.ownQuestion !== undefined;
        return html`<div class="starting" role="group" aria-label=${l10n.t('Starting {0}', panel.agent)}>
          ${isAsked ? icon('bell-dot') : spinner()}<span class="label">${
            isAsked ? l10n.t('Waiting for you: {0}', panel.ownQuestion) : connection.detail
          }</span>${
            isAsked ? nothing : html`<span class="dim">${this.#since.element}</span>`
          }<button type="button" class="secondary"
            @click=${() => this.context.post({ type: 'start/cancel' })}>${l10n.t('Cancel')}</button>
        </div>${
          (connection.isSlow || connection.unread !== undefined) && !isAsked
            ? this.#slow(panel.agent, connection)
            : nothing
        }`;
      }
      case 'failed':
        return html`<div class="failed" role="group" aria-label=${connection.title}>
          <h2>${icon('error', 'failed')}${connection.title}</h2>
          <p class="detail">${connection.detail}</p>
          ${
            connection.stderr
              ? html`<pre class="notice-detail" tabindex="0"
                aria-label=${l10n.t('Error output')}>${connection.stderr}</pre>`
              : nothing
          }
          ${noticeActions(connection.actions, this.context, { isPrimary: true })}
        </div>`;
      case 'idle':
      case 'ready':
        return empty ? this.#welcome(panel) : nothing;
    }
  }

  /** A start that may be stuck: the agent's output, and advice. */
  #slow(agent: string, { unread, output }: Extract<PanelView['connection'], { state: 'starting' }>) {
    const words =
      unread === undefined
        ? output === undefined
          ? l10n.t('This takes longer than usual.')
          : l10n.t('This takes longer than usual. {0} has printed:', agent)
        : unread === 1
          ? l10n.t('Parley could not read 1 line from {0}. It has printed:', agent)
          : l10n.t('Parley could not read {1} lines from {0}. It has printed:', agent, unread);
    return html`<div class="slow-start" role="group" aria-label=${l10n.t('{0} takes long to start', agent)}>
      <p role="status">${words}</p>
      ${
        output === undefined
          ? nothing
          : html`<pre class="notice-detail" tabindex="0" aria-label=${l10n.t('Agent output')}>${output}</pre>`
      }
      ${noticeActions(['showLog', 'restart'], this.context, {})}
    </div>`;
  }

  /** The beginning of the gallery. @param isDemo the agent that needs no setup can be tried */
  #starters(starters: readonly StarterView[], isDemo: boolean) {
    const open = (key?: string) => () =>
      this.context.post({ type: 'gallery/open', ...(key === undefined ? {} : { key }) });
    return html`<h2>${icon('comment-discussion')}${l10n.t('Select an agent')}</h2>
      <div class="starters" role="group" aria-label=${l10n.t('Agents')}>
        ${starters.map(
          ({ key, name, about, icon: picture }) =>
            html`<button type="button" class="starter"
              @click=${open(key)}>${this.#pictures.of(key, name, picture)}<span><span class="label">${name}</span><span
                class="dim">${about}</span></span></button>`,
        )}
        <button type="button" class="starter" @click=${open()}>${icon('extensions')}<span><span
          class="label">${l10n.t('More agents…')}</span></span></button>
        ${
          isDemo
            ? html`<button type="button" class="starter"
              @click=${() => this.context.post({ type: 'demo/start' })}>${icon('play')}<span><span
                class="label">${l10n.t('Try the demo')}</span><span
                  class="dim">${l10n.t('No account or network needed')}</span></span></button>`
            : nothing
        }
      </div>`;
  }

  #welcome(panel: PanelView) {
    if (panel.starters) return this.#starters(panel.starters, panel.suggestions !== undefined);
    if (panel.agent === '') {
      return html`<h2>${icon('comment-discussion')}${l10n.t('Select an agent to get started')}</h2>
        <div class="buttons"><button type="button" class="primary"
          @click=${() => this.context.post({ type: 'agent/select' })}>${l10n.t('Select an Agent…')}</button></div>`;
    }
    // Never the agent's commands: one of them could change its permissions.
    const ideas = panel.suggestions ?? genericIdeas();
    return html`<h2>${icon('comment-discussion')}${l10n.t('Ask {0} to build, fix or explain', panel.agent)}</h2>
      <div class="ideas">${ideas.map(
        (idea) =>
          html`<button type="button" class="idea" title=${idea} @click=${() => this.fill(idea)}><span
            class="label">${idea}</span></button>`,
      )}</div>`;
  }
}

/** True if a page or the state below the thread already has the primary button. */
export function hasFirstAction({ agent, connection, gallery, signIn, starters }: PanelView): boolean {
  if (gallery) return gallery.form !== undefined;
  if (connection.state === 'failed') return connection.actions.slice(0, 1).some(helps);
  return (
    signIn !== undefined ||
    (agent === '' && !starters) ||
    ['restricted', 'noAgents', 'noFolder'].includes(connection.state)
  );
}

function genericIdeas(): readonly string[] {
  return [
    l10n.t('Explain this workspace'),
    l10n.t('Find a bug in the open file'),
    l10n.t('Write a test for the open file'),
  ];
}
