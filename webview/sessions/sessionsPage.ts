import * as l10n from '@vscode/l10n';
import { nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import {
  bulkSessionActs,
  matchesWords,
  type SessionAct,
  type SessionItemView,
  type SessionsView,
  wordsOf,
} from '../../src/protocol/sessionsView';
import { AgentIcons } from '../gallery/agentIcon';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from '../parts/context';
import { dateGroups, groupTitle } from './dateGroups';
import { ListSelection } from './listSelection';
import { hitRow, sessionRow, todayLine } from './sessionRow';
import { focusOn, reveal } from '../lib/reveal';

/** Typing within this time is one search. */
const searchAfterMs = 150;
/** The number of rows drawn at once; "Show More" draws as many again. */
const rowsAtOnce = 200;

/** The list of sessions: search, groups by date, archived ones, and matching lines of transcripts. */
export class SessionsPage {
  readonly #icons = new AgentIcons();
  readonly #selection = new ListSelection();
  #view: SessionsView | undefined;
  #agentIcons: Readonly<Record<string, string>> = {};
  #filter = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #showsArchived = false;
  #rows = rowsAtOnce;
  /** `data-key` or `data-hit` of the row in the tab order. */
  #active: string | undefined;

  constructor(
    private readonly element: HTMLElement,
    private readonly context: PartContext,
  ) {
    element.dataset['vscodeContext'] = '{"preventDefaultContextMenuItems":true}';
    element.addEventListener('keydown', (event) => this.#handleKey(event));
    element.addEventListener('click', (event) => this.#handleClick(event));
    element.addEventListener('focusin', (event) => this.#handleFocus(event));
  }

  update(view: SessionsView | undefined, agentIcons: Readonly<Record<string, string>> = {}): void {
    const isOpening = view !== undefined && this.#view === undefined;
    if (this.#view === view && this.#agentIcons === agentIcons) return;
    this.#view = view;
    this.#agentIcons = agentIcons;
    if (isOpening) this.#begin(view);
    if (view) this.#draw(view);
    if (isOpening) focusOn(this.#input);
  }

  get #input(): HTMLInputElement | null {
    return this.element.querySelector('input');
  }

  #begin(view: SessionsView): void {
    this.#filter = view.search?.text ?? '';
    this.#showsArchived = false;
    this.#rows = rowsAtOnce;
    this.#active = undefined;
    this.#selection.clear();
  }

  #draw(view: SessionsView): void {
    const words = this.#words();
    const matching = view.items.filter((item) => matchesWords(item, words));
    const current = matching.filter((item) => !item.isArchived);
    const archived = matching.filter((item) => item.isArchived);
    const showsArchived = this.#showsArchived || words.length > 0;
    // Pinned ones come first, whatever their age.
    const drawn = [...current.filter(({ isPinned }) => isPinned), ...current.filter(({ isPinned }) => !isPinned)].slice(
      0,
      this.#rows,
    );
    this.#selection.keep([...drawn, ...(showsArchived ? archived : [])].map(({ key }) => key));
    const before = document.activeElement;
    const focused = this.#focusedRow();
    const place = focused ? this.#stops().indexOf(focused) : -1;
    render(
      html`<div class="session-head">
          <div class="search" data-vscode-context='{"preventDefaultContextMenuItems":false}'
            >${icon('search', 'dim')}<input type="text" placeholder=${l10n.t(
              'Search sessions and their text',
            )} aria-label=${l10n.t('Search sessions')} spellcheck="false" .value=${this.#filter} @input=${(
              event: Event,
            ) => this.#search((event.target as HTMLInputElement).value)} /></div>
          <button type="button" class="icon-button codicon codicon-close" title=${l10n.t('Close (Escape)')}
            aria-label=${l10n.t('Close sessions')} @click=${() => this.#close()}></button>
        </div>
        ${todayLine(view.today)}
        ${this.#selectionBar()}
        ${
          drawn.length === 0
            ? nothing
            : html`<div role="grid" class="session-grid" aria-label=${l10n.t('Sessions')}
              aria-multiselectable="true">${repeat(
                dateGroups(drawn, Date.now()),
                ({ group }) => group,
                ({ group, items }) =>
                  html`<div class="session-group" aria-hidden="true">${groupTitle(group)}</div><div role="rowgroup"
                    aria-label=${groupTitle(group)}>${this.#itemRows(items)}</div>`,
              )}</div>`
        }
        ${
          drawn.length < current.length || view.hasMore
            ? html`<button type="button" class="secondary more" ?disabled=${view.loading}
              @click=${() => this.#more(drawn.length < current.length)}>${l10n.t('Show More')}</button>`
            : nothing
        }
        ${
          archived.length === 0
            ? nothing
            : html`<button type="button" class="session-group archived" aria-expanded=${String(showsArchived)}
              ?disabled=${words.length > 0}
              @click=${() => this.#toggleArchived()}>${icon(showsArchived ? 'chevron-down' : 'chevron-right')}${l10n.t(
                'Archived ({0})',
                words.length > 0 ? archived.length : view.archived,
              )}</button>`
        }
        ${
          showsArchived && archived.length > 0
            ? html`<div role="grid" class="session-grid" aria-label=${l10n.t('Archived sessions')}
              aria-multiselectable="true"><div role="rowgroup">${this.#itemRows(archived)}</div></div>`
            : nothing
        }
        ${this.#found(view, words, matching.length)}
        ${
          view.items.length === 0 && words.length === 0
            ? html`<p class="dim empty">${l10n.t('No sessions yet. They appear here with your first message.')}</p>`
            : nothing
        }
        ${view.problem ? html`<p class="problem" role="status">${icon('warning')}${view.problem}</p>` : nothing}
        ${
          view.loading
            ? html`<p class="dim empty" role="status">${l10n.t('Loading sessions from the agent…')}</p>`
            : nothing
        }
        ${
          view.deleted
            ? html`<div class="session-undo" role="status"><span class="label">${
                view.deleted.title === undefined
                  ? l10n.t('{0} sessions deleted', view.deleted.count)
                  : l10n.t('“{0}” deleted', view.deleted.title)
              }</span><button type="button" class="secondary"
                @click=${() => this.context.post({ type: 'sessions/undoDelete' })}>${l10n.t('Restore')}</button></div>`
            : nothing
        }`,
      this.element,
    );
    // A removed or moved row loses the focus.
    this.#settleActive(focused !== undefined && document.activeElement !== before ? place : undefined);
  }

  #itemRows(items: readonly SessionItemView[]) {
    return repeat(
      items,
      ({ key }) => key,
      (item) => {
        const isSelected = this.#selection.has(item.key);
        const keys = this.#targets(item.key);
        return sessionRow(item, {
          picture: this.#icons.of(item.key, item.agent, this.#agentIcons[item.agent]),
          isActive: this.#active === item.key,
          isSelected,
          keys,
          acts: this.#actsFor(keys),
          act: (act, on) => this.#act(act, on),
        });
      },
    );
  }

  /** Lines of transcripts, below the titles that match. */
  #found({ search }: SessionsView, words: readonly string[], titles: number): TemplateResult | typeof nothing {
    if (words.length === 0) return nothing;
    const isAnswer = search !== undefined && search.text.trim() === this.#filter.trim();
    const isRunning = !isAnswer ? words.join('').length > 1 : search.isRunning;
    const hits = isAnswer ? search.hits : [];
    return html`${
      hits.length === 0
        ? nothing
        : html`<h2 class="session-group">${l10n.t('In conversations')}</h2><div role="grid" class="session-grid"
          aria-label=${l10n.t('In conversations')}><div role="rowgroup">${repeat(
            hits,
            ({ id }) => id,
            (hit) =>
              hitRow(
                hit,
                words,
                this.#icons.of(`hit ${hit.id} ${hit.agent}`, hit.agent, this.#agentIcons[hit.agent]),
                this.#active === `hit:${hit.id}`,
              ),
          )}</div></div>`
    }
      <p class="dim empty" role="status">${
        isRunning
          ? l10n.t('Searching conversations…')
          : hits.length === 0 && titles === 0
            ? l10n.t('No results found')
            : isAnswer && search.isCut
              ? l10n.t('There may be more results. Type more to narrow the search.')
              : nothing
      }</p>`;
  }

  #selectionBar(): TemplateResult | typeof nothing {
    const keys = [...this.#selection.keys];
    if (keys.length === 0) return nothing;
    const acts = this.#actsFor(keys, true);
    const button = (act: SessionAct, name: string, words: string) =>
      acts.includes(act)
        ? html`<button type="button" class="icon-button codicon codicon-${name}" title=${words} aria-label=${words}
          @click=${() => this.#act(act, keys)}></button>`
        : nothing;
    return html`<div class="session-selection" role="toolbar" aria-label=${l10n.t('Selected sessions')}><span
      class="label" role="status">${l10n.t('{0} selected', keys.length)}</span>${button(
        'archive',
        'archive',
        l10n.t('Archive'),
      )}${button(
        'unarchive',
        'discard',
        l10n.t('Unarchive'),
      )}${button('delete', 'trash', l10n.t('Delete'))}<button type="button"
        class="icon-button codicon codicon-clear-all" title=${l10n.t('Clear Selection')}
        aria-label=${l10n.t('Clear Selection')} @click=${() => this.#clearSelection()}></button></div>`;
  }

  /** The acts for sessions; for several, only those that support several. */
  #actsFor(keys: readonly string[], isBulk = keys.length > 1): readonly SessionAct[] {
    const items = this.#view?.items.filter((item) => keys.includes(item.key)) ?? [];
    if (!isBulk) return items[0]?.acts ?? [];
    return bulkSessionActs.filter((act) => items.some((item) => item.acts.includes(act)));
  }

  /** The sessions for an act on a row: the selection if it includes the row. */
  #targets(key: string): readonly string[] {
    return this.#selection.has(key) ? [...this.#selection.keys] : [key];
  }

  #act(act: SessionAct, keys: readonly string[]): void {
    if (!this.#actsFor(keys).includes(act)) return;
    this.context.post({ type: 'sessions/act', act, keys });
    if (act !== 'rename') this.#clearSelection();
  }

  #words(): string[] {
    return wordsOf(this.#filter);
  }

  #search(text: string): void {
    this.#filter = text;
    this.#rows = rowsAtOnce;
    this.#active = undefined;
    this.#redraw();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.context.post({ type: 'sessions/search', text: this.#filter }), searchAfterMs);
  }

  #more(isHere: boolean): void {
    this.#rows += rowsAtOnce;
    if (isHere) this.#redraw();
    else this.context.post({ type: 'sessions/more' });
  }

  #toggleArchived(): void {
    this.#showsArchived = !this.#showsArchived;
    this.#redraw();
  }

  #clearSelection(): void {
    if (this.#selection.clear()) this.#redraw();
  }

  #redraw(): void {
    if (this.#view) this.#draw(this.#view);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.context.post({ type: 'sessions/toggle' });
  }

  #open(row: HTMLElement): void {
    const { key, hit } = row.dataset;
    if (key !== undefined) this.context.post({ type: 'sessions/show', key });
    else if (hit !== undefined) this.context.post({ type: 'sessions/showHit', id: hit });
  }

  #stops(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>('.session-row')];
  }

  #order(): string[] {
    return this.#stops().flatMap((row) => row.dataset['key'] ?? []);
  }

  #focusedRow(): HTMLElement | undefined {
    const row = document.activeElement?.closest<HTMLElement>('.session-row') ?? undefined;
    return row && this.element.contains(row) ? row : undefined;
  }

  /** Ensures that one row is in the tab order. @param place of the row that has lost the focus */
  #settleActive(place: number | undefined): void {
    const stops = this.#stops();
    const known = stops.find((row) => nameOf(row) === this.#active);
    const active = known ?? stops[Math.min(Math.max(0, place ?? 0), stops.length - 1)];
    this.#active = active && nameOf(active);
    for (const row of stops) row.tabIndex = row === active ? 0 : -1;
    if (place === undefined || !document.hasFocus()) return;
    if (active) focusOn(active);
    else focusOn(this.#input);
  }

  #goTo(row: HTMLElement | undefined): void {
    if (!row) return;
    this.#active = nameOf(row);
    this.#settleActive(undefined);
    focusOn(row);
    reveal(row);
  }

  #handleFocus({ target }: FocusEvent): void {
    const row = (target as HTMLElement).closest<HTMLElement>('.session-row');
    if (!row || nameOf(row) === this.#active) return;
    this.#active = nameOf(row);
    this.#settleActive(undefined);
  }

  #handleClick(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    const row = target.closest<HTMLElement>('.session-row');
    if (!row || target.closest('button')) return;
    const { key } = row.dataset;
    if (key !== undefined && (event.ctrlKey || event.metaKey)) this.#selection.toggle(key);
    else if (key !== undefined && event.shiftKey)
      this.#selection.extend(key, this.#order(), this.#view?.items.find((item) => item.isCurrent)?.key);
    else {
      this.#clearSelection();
      return this.#open(row);
    }
    this.#redraw();
    this.#goTo(row);
  }

  #handleKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if ((event.target as HTMLElement).closest('button')) {
      if (event.key === 'Escape') this.#close();
      return;
    }
    const row = this.#focusedRow();
    const isDone = row ? this.#handleRowKey(event, row) : this.#handleSearchKey(event);
    if (isDone) event.preventDefault();
  }

  #handleSearchKey(event: KeyboardEvent): boolean {
    const [first] = this.#stops();
    if (event.key === 'Escape') this.#close();
    else if (event.key === 'ArrowDown') this.#goTo(first);
    else if (event.key === 'Enter' && first) this.#open(first);
    else if (event.key === 'z' && (event.ctrlKey || event.metaKey) && this.#filter === '') return this.#undo();
    else return false;
    return true;
  }

  /** @returns whether the list handled the key */
  #handleRowKey(event: KeyboardEvent, row: HTMLElement): boolean {
    const { key } = row.dataset;
    const withCtrl = event.ctrlKey || event.metaKey;
    const stops = this.#stops();
    const at = stops.indexOf(row);
    const move = (to: number): boolean => {
      const next = stops[Math.min(stops.length - 1, to)];
      if (to < 0) focusOn(this.#input);
      else if (event.shiftKey && next?.dataset['key'] !== undefined && key !== undefined) {
        this.#selection.extend(next.dataset['key'], this.#order(), key);
        this.#redraw();
        this.#goTo(next);
      } else this.#goTo(next);
      return true;
    };
    switch (event.key) {
      case 'ArrowDown':
        return move(at + 1);
      case 'ArrowUp':
        return move(at - 1);
      case 'Home':
        return move(0);
      case 'End':
        return move(stops.length - 1);
      case 'Enter':
        this.#open(row);
        return true;
      case ' ':
        if (key !== undefined) this.#selection.toggle(key);
        this.#redraw();
        return true;
      case 'Escape':
        if (this.#selection.keys.size > 0) this.#clearSelection();
        else this.#close();
        return true;
      case 'F2':
        if (key !== undefined) this.#act('rename', [key]);
        return true;
      case 'Delete':
        if (key !== undefined) this.#act('delete', this.#targets(key));
        return true;
      case 'Backspace':
        // As in VS Code's lists on a Mac.
        if (!event.metaKey) break;
        if (key !== undefined) this.#act('delete', this.#targets(key));
        return true;
      case 'a':
        if (!withCtrl) break;
        this.#selection.all(this.#order());
        this.#redraw();
        return true;
      case 'z':
        if (!withCtrl) break;
        return this.#undo();
    }
    // Typing searches; the letter itself goes into the box.
    if ((event.key.length === 1 || event.key === 'Backspace') && !withCtrl && !event.altKey) focusOn(this.#input);
    return false;
  }

  #undo(): boolean {
    if (!this.#view?.deleted) return false;
    this.context.post({ type: 'sessions/undoDelete' });
    return true;
  }
}

function nameOf({ dataset }: HTMLElement): string {
  return dataset['key'] ?? `hit:${dataset['hit']}`;
}
