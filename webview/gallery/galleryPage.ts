import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { GalleryAgentView, GalleryView } from '../../src/protocol/galleryView';
import { isFocusWithin } from '../lib/focus';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import type { PartContext } from '../parts/context';
import { AgentFormPart } from './agentFormPart';
import { AgentIcons } from './agentIcon';
import { agentRow, lacks, needsWords } from './agentRow';
import { focusOn } from '../lib/reveal';

interface Group {
  readonly name: string;
  readonly agents: readonly GalleryAgentView[];
}

/** Groups by the origin of an agent, which never changes: a row does not move when its agent is installed. */
function groupsOf(agents: readonly GalleryAgentView[]): Group[] {
  const group = (name: string, kinds: readonly GalleryAgentView['kind'][]) => ({
    name,
    agents: agents.filter(({ kind }) => kinds.includes(kind)),
  });
  return [
    group(l10n.t('Built in'), ['builtIn', 'demo']),
    group(l10n.t('Added by you'), ['custom']),
    group(l10n.t('From the registry'), ['listed']),
  ].filter((one) => one.agents.length > 0);
}

/** Runtimes that some agents need and this machine lacks, each once. */
function lacking(agents: readonly GalleryAgentView[]): readonly string[] {
  return [...new Set(agents.filter(lacks).map(({ needs }) => needsWords[needs!]))];
}

/** The gallery of agents, which replaces the thread while it is open. */
export class GalleryPage {
  #filter = '';
  #view: GalleryView | undefined;
  #drawn: unknown;
  #icons: Readonly<Record<string, string>> | undefined;
  readonly #pictures = new AgentIcons();
  readonly #form: AgentFormPart;

  constructor(
    private readonly element: HTMLElement,
    private readonly context: PartContext,
  ) {
    this.#form = new AgentFormPart(context);
    element.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  update(view: GalleryView | undefined, icons: Readonly<Record<string, string>> | undefined): void {
    const opened = view !== undefined && this.#view === undefined;
    const isSame = this.#drawn === view && this.#icons === icons;
    this.#view = view;
    this.#icons = icons;
    this.#drawn = view;
    if (opened) this.#filter = '';
    if (!view || (isSame && !opened)) return;
    this.#draw(view);
    if (opened) focusOn(this.element.querySelector('input'));
  }

  #draw(view: GalleryView): void {
    const words = this.#filter.toLowerCase().split(/\s+/).filter(Boolean);
    const agents = view.agents.filter((agent) =>
      words.every((word) => `${agent.name} ${agent.about}`.toLowerCase().includes(word)),
    );
    const row = isFocusWithin(this.element)
      ? document.activeElement!.closest<HTMLElement>('li')?.dataset['key']
      : undefined;
    const hadForm = this.#form.element.isConnected;
    if (view.form) {
      render(this.#form.element, this.element);
      return this.#form.update(view.form);
    }
    render(
      html`<div class="session-head">
          <div class="search">${icon('search', 'dim')}<input type="text" placeholder=${l10n.t('Search agents')}
            aria-label=${l10n.t('Search agents')} .value=${this.#filter}
            @input=${(event: Event) => this.#search(event)} /></div>
          <button type="button" class="icon-button codicon codicon-add" title=${l10n.t('Add Agent…')}
            aria-label=${l10n.t('Add agent')} @click=${() => this.context.post({ type: 'agentForm/open' })}></button>
          <button type="button" class="icon-button codicon codicon-close" title=${l10n.t('Close (Escape)')}
            aria-label=${l10n.t('Close agents')} @click=${() => this.context.post({ type: 'gallery/close' })}></button>
        </div>
        ${
          view.isRestricted
            ? html`<p class="gallery-note">${icon('shield')}<span>${l10n.t(
                'Restricted Mode: trust this workspace to install and start agents.',
              )}</span></p>`
            : nothing
        }
        ${
          view.problem
            ? html`<p class="gallery-note" role="status">${icon('warning')}<span>${view.problem}</span></p>`
            : nothing
        }
        ${lacking(agents).map(
          (need) =>
            html`<p class="gallery-note">${icon('warning')}<span>${l10n.t(
              '{0} is not installed. Some agents need it.',
              need,
            )}</span></p>`,
        )}
        <div role="group" aria-label=${l10n.t('Agents')}>${repeat(
          groupsOf(agents),
          ({ name }) => name,
          (group) => this.#group(group),
        )}</div>
        <p class="dim ${agents.length === 0 ? 'empty' : 'visually-hidden'}" role="status">${
          agents.length === 0 ? l10n.t('No agent matches “{0}”.', this.#filter) : nothing
        }</p>
        ${
          view.loading
            ? html`<p class="dim empty loading" role="status">${spinner()}${l10n.t('Loading more agents…')}</p>`
            : nothing
        }`,
      this.element,
    );
    this.#keepFocus(row, hadForm);
  }

  #group({ name, agents }: Group) {
    const row = (agent: GalleryAgentView) =>
      agentRow(agent, this.#pictures.of(agent.key, agent.name, this.#icons?.[agent.key]), this.context);
    return html`<h2 class="agent-group">${name}</h2>
      <ul role="list" aria-label=${name}>${repeat(agents, (agent) => agent.key, row)}</ul>`;
  }

  /** Keeps the focus in the row where it was. */
  #keepFocus(row: string | undefined, hadForm: boolean): void {
    if (hadForm && document.hasFocus()) {
      focusOn(this.element.querySelector('input'));
    } else if (row !== undefined && !this.element.contains(document.activeElement)) {
      focusOn(this.#rowOf(row)?.querySelector<HTMLElement>('button'));
    }
  }

  #rowOf(key: string): HTMLElement | undefined {
    return [...this.element.querySelectorAll<HTMLElement>('li')].find((row) => row.dataset['key'] === key);
  }

  #search(event: Event): void {
    this.#filter = (event.target as HTMLInputElement).value;
    if (this.#view) this.#draw(this.#view);
  }

  /** Escape closes the gallery; the arrows move between rows, as in VS Code's own lists. */
  #handleKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const target = event.target as HTMLElement;
    const row = target.closest<HTMLElement>('li');
    if (event.key === 'Escape' && this.#view?.form) return this.context.post({ type: 'agentForm/close' });
    if (event.key === 'Escape') return this.context.post({ type: 'gallery/close' });
    if (this.#view?.form || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    const input = this.element.querySelector('input')!;
    const stops: HTMLElement[] = [
      input,
      ...[...this.element.querySelectorAll<HTMLElement>('li')].flatMap(
        (item) => item.querySelector<HTMLElement>('button') ?? [],
      ),
    ];
    const at = row ? stops.findIndex((stop) => row.contains(stop)) : 0;
    focusOn(stops[Math.min(stops.length - 1, Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1)))]);
    event.preventDefault();
  }
}
