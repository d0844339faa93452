import { nothing, render } from 'lit-html';
import type { StarterView } from '../../src/protocol/galleryView';
import type { PanelView } from '../../src/protocol/viewModel';
import { AgentIcons } from '../gallery/agentIcon';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import { elapsedElement } from '../lib/ticker';
import type { PartContext } from './context';
import { noticeActions } from './notice';
import { SignInCard } from './signInCard';

/**
 * What stands in the thread instead of words or below them: no agent, an agent that starts, one that failed, a
 * restricted workspace, and the empty thread with three things to try. One short sentence and one clear button each.
 */
export class Face {
  readonly element = document.createElement('div');
  private readonly pictures = new AgentIcons();
  private readonly signIn: SignInCard;
  private last: { readonly panel: PanelView; readonly empty: boolean } | undefined;
  private since: { readonly at: number; readonly element: HTMLElement } | undefined;

  /** @param fill puts a suggestion into the message box */
  constructor(
    private readonly context: PartContext,
    private readonly fill: (text: string) => void,
  ) {
    this.signIn = new SignInCard(context, () => this.last && this.update(this.last.panel, this.last.empty));
  }

  update(panel: PanelView, empty: boolean): void {
    this.last = { panel, empty };
    const hadFocus = document.hasFocus() && this.element.contains(document.activeElement);
    // A text that left the document does not count on.
    if (panel.signIn) this.since = undefined;
    this.element.className = `face ${empty ? 'whole' : 'below'}`;
    render(panel.signIn ? this.signIn.template(panel.agent, panel.signIn) : this.template(panel, empty), this.element);
    // Whoever goes on with the keyboard goes on from the card.
    if (hadFocus && !this.element.contains(document.activeElement)) this.focusCard();
  }

  /** Moves the focus onto the sign-in card. @returns false when there is none. */
  focusCard(): boolean {
    const card = this.element.querySelector<HTMLElement>('[data-sign-in]');
    card?.scrollIntoView({ block: 'nearest' });
    card?.focus({ preventScroll: true });
    return card !== null;
  }

  private template(panel: PanelView, empty: boolean) {
    const connection = panel.connection;
    switch (connection.state) {
      case 'restricted':
        return html`<h2>${icon('shield')}Restricted Mode</h2>
          <p>Agents run programs and change files, so none starts until you trust this workspace.</p>
          <div class="buttons"><button type="button" class="primary" @click=${() => this.context.post({ type: 'trust/manage' })}>Manage Workspace Trust</button></div>`;
      case 'noAgents':
        return html`<h2>${icon('plug')}No agent is configured</h2>
          <p>Add one to the setting <code>parley.agents</code> to begin.</p>
          ${noticeActions(['editSettings'], this.context)}`;
      case 'noFolder':
        return html`<h2>${icon('folder')}Open a folder first</h2>
          <p>${panel.agent} works on the files of one folder. To try things out, use the scratch folder, an empty one that Parley keeps.</p>
          ${noticeActions(['openFolder', 'openRecent', 'useScratchFolder'], this.context)}`;
      case 'starting': {
        if (this.since?.at !== connection.since) this.since = { at: connection.since, element: elapsedElement(connection.since) };
        return html`<div class="starting" role="group" aria-label=${`Starting ${panel.agent}`}>
          <div class="starting-line">${spinner()}<span class="label">Starting ${panel.agent}</span><span class="dim end">${this.since.element}</span></div>
          <div class="dim detail">${connection.detail}</div>
          <div class="buttons"><button type="button" class="secondary" @click=${() => this.context.post({ type: 'start/cancel' })}>Cancel</button></div>
        </div>`;
      }
      case 'failed':
        return html`<div class="failed" role="group" aria-label=${connection.title}>
          <h2>${icon('error', 'failed')}${connection.title}</h2>
          <p class="detail">${connection.detail}</p>
          ${connection.stderr ? html`<pre class="notice-detail" tabindex="0" aria-label="Error output">${connection.stderr}</pre>` : nothing}
          ${noticeActions(connection.actions, this.context)}
        </div>`;
      case 'idle':
      case 'ready':
        return empty ? this.welcome(panel) : nothing;
    }
  }

  /** The beginning of the gallery. @param ideas of the agent that needs no setup */
  private starters(starters: readonly StarterView[], ideas: readonly string[] = []) {
    const open = (key?: string) => () => this.context.post({ type: 'gallery/open', ...(key === undefined ? {} : { key }) });
    return html`<h2>${icon('comment-discussion')}Choose an agent</h2>
      <div class="starters" role="group" aria-label="Agents">
        ${starters.map(({ key, name, about }) => html`<button type="button" class="starter" @click=${open(key)}>${this.pictures.of(key, name)}<span><span class="label">${name}</span><span class="dim">${about}</span></span></button>`)}
        <button type="button" class="starter" @click=${open()}>${icon('extensions')}<span><span class="label">More agents…</span></span></button>
        ${ideas[0] === undefined ? nothing : html`<button type="button" class="starter" @click=${() => this.fill(ideas[0]!)}>${icon('play')}<span><span class="label">Try the demo</span><span class="dim">Needs no account and no network</span></span></button>`}
      </div>`;
  }

  private welcome(panel: PanelView) {
    if (panel.starters) return this.starters(panel.starters, panel.suggestions);
    if (panel.agent === '') {
      return html`<h2>${icon('comment-discussion')}Choose an agent to begin</h2>
        <div class="buttons"><button type="button" class="primary" @click=${() => this.context.post({ type: 'agent/select' })}>Choose an Agent…</button></div>`;
    }
    // Never commands of the agent: one of them could change what it may do.
    const ideas = panel.suggestions ?? GENERIC;
    return html`<h2>${icon('comment-discussion')}Ask ${panel.agent} to build, fix or explain</h2>
      <div class="ideas">${ideas.map(
        (idea) => html`<button type="button" class="idea" @click=${() => this.fill(idea)}><span class="label">${idea}</span></button>`,
      )}</div>`;
  }
}

const GENERIC = ['Explain this workspace', 'Find a bug in the open file', 'Write a test for the open file'];
