import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { SessionItemView, SessionsView } from '../../src/protocol/sessionsView';
import { ago } from '../lib/format';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';

/** The sessions of this workspace and of the agents that run, in place of the thread while it is open. */
export class SessionList {
  private filter = '';
  private view: SessionsView | undefined;
  private drawn: unknown;

  constructor(
    private readonly element: HTMLElement,
    private readonly context: PartContext,
  ) {
    element.addEventListener('keydown', (event) => this.handleKey(event));
  }

  /** Takes the focus when it opens. */
  update(view: SessionsView | undefined): void {
    const opened = view !== undefined && this.view === undefined;
    this.view = view;
    if (opened) this.filter = '';
    if (view && this.drawn !== view) this.draw(view);
    this.drawn = view;
    if (opened) this.element.querySelector('input')?.focus();
  }

  private draw(view: SessionsView): void {
    const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    const severalAgents = view.items.some((item) => item.agent !== view.items[0]!.agent);
    const items = view.items.filter((item) => words.every((word) => `${item.title} ${item.agent} ${item.folder}`.toLowerCase().includes(word)));
    render(
      html`<div class="session-head">
          <div class="search">${icon('search', 'dim')}<input type="text" placeholder=${l10n.t('Search sessions')} aria-label=${l10n.t('Search sessions')} .value=${this.filter} @input=${(event: Event) => this.search(event)} /></div>
          <button type="button" class="icon-button codicon codicon-close" title=${l10n.t('Close (Escape)')} aria-label=${l10n.t('Close sessions')} @click=${() => this.close()}></button>
        </div>
        <ul role="list" aria-label=${l10n.t('Sessions')}>${repeat(items, (item) => item.key, (item) => this.row(item, severalAgents))}</ul>
        ${items.length === 0 ? html`<p class="dim empty">${view.items.length === 0 ? l10n.t('No sessions yet. Your first message starts one.') : l10n.t('No session matches “{0}”.', this.filter)}</p>` : nothing}
        ${view.problem ? html`<p class="problem" role="status">${icon('warning')}${view.problem}</p>` : nothing}
        ${view.loading ? html`<p class="dim empty" role="status">${l10n.t('Loading sessions from the agent…')}</p>` : nothing}
        ${view.hasMore && !view.loading ? html`<button type="button" class="secondary more" @click=${() => this.context.post({ type: 'sessions/more' })}>${l10n.t('Show more')}</button>` : nothing}`,
      this.element,
    );
  }

  /** @param namesAgent where all are of the same, its name in each row would say nothing */
  private row(item: SessionItemView, namesAgent: boolean) {
    const { key, title } = item;
    const state = STATES[item.state];
    const age = item.updatedAt === undefined ? '' : ago(Date.now() - item.updatedAt);
    const about = [item.agent, age].filter(Boolean).join(' · ');
    return html`<li class=${item.isCurrent ? 'current' : ''}>
      <button type="button" class="session-row" aria-current=${item.isCurrent ? 'true' : 'false'} title=${`${title}\n${about}\n${item.folder}`} @click=${() => this.context.post({ type: 'sessions/show', key })}>
        ${icon(state.icon, state.style)}<span class="label">${title}</span><span class="visually-hidden">${state.words()}</span>${namesAgent ? html`<span class="dim end agent">${item.agent}</span>` : nothing}<span class="dim age">${age}</span>
      </button>
      <span class="row-actions">
        ${item.canRename ? html`<button type="button" class="icon-button codicon codicon-edit" title=${l10n.t('Rename')} aria-label=${l10n.t('Rename {0}', title)} @click=${() => this.context.post({ type: 'sessions/rename', key })}></button>` : nothing}
        ${item.canDelete ? html`<button type="button" class="icon-button codicon codicon-trash" title=${l10n.t('Delete')} aria-label=${l10n.t('Delete {0}', title)} @click=${() => this.context.post({ type: 'sessions/delete', key })}></button>` : nothing}
      </span>
    </li>`;
  }

  private search(event: Event): void {
    this.filter = (event.target as HTMLInputElement).value;
    if (this.view) this.draw(this.view);
  }

  private close(): void {
    this.context.post({ type: 'sessions/toggle' });
  }

  /** Escape closes; the arrows go from line to line, as in VS Code's own lists. */
  private handleKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') return this.close();
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const stops = [...this.element.querySelectorAll<HTMLElement>('input, .session-row')];
    const at = stops.indexOf((event.target as HTMLElement).closest<HTMLElement>('input, .session-row') ?? stops[0]!);
    stops[Math.min(stops.length - 1, Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1)))]?.focus();
    event.preventDefault();
  }
}

const STATES = {
  waiting: { icon: 'bell-dot', style: 'attention', words: () => l10n.t('waiting for you') },
  running: { icon: 'loading', style: 'codicon-modifier-spin', words: () => l10n.t('working') },
  failed: { icon: 'error', style: 'failed', words: () => l10n.t('could not finish') },
  unread: { icon: 'circle-filled', style: 'unread', words: () => l10n.t('unread') },
  open: { icon: 'comment-discussion', style: 'dim', words: () => l10n.t({ message: 'open', comment: ['State of a session'] }) },
  stored: { icon: 'comment', style: 'dim', words: () => '' },
  atAgent: { icon: 'cloud', style: 'dim', words: () => l10n.t('stored by the agent') },
} as const;
