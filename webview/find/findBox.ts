import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import { numberText } from '../../src/base/numberText';
import type { EntryId } from '../../src/protocol/entryId';
import { html } from '../lib/html';
import { holdsOnlyAlt, isMac } from '../lib/mac';
import type { FindContext } from './findDoor';
import { FindHighlighter } from './highlighter';
import { Matches } from './matches';
import { type Query, Search, toPattern } from './search';
import { focusOn } from '../lib/reveal';
import { isCutOff, showRange } from './foundLine';

type Toggle = 'matchCase' | 'wholeWord' | 'isRegex';

/** How long drawn content may change before it is searched again. */
const LOOK_MS = 100;
const NONE = new Matches([], false);

/** Find in the conversation: a box like the editor's over all entries, drawn, folded or far. */
export class FindBox {
  readonly #search: Search;
  readonly #highlighter: FindHighlighter;
  #query: Query = { text: '', matchCase: false, wholeWord: false, isRegex: false };
  #matches = NONE;
  /** Why the search is not possible, in a few words and in full. */
  #problem: { readonly words: string; readonly detail: string } | undefined;
  #isSearching = false;
  /** Entries that were opened for a match, with the function that closes them. */
  #opened: { readonly id: EntryId; readonly undo: () => void } | undefined;
  /** The match still has to be scrolled to. */
  #wantsReveal = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param element where the box is drawn @param close the user closes it */
  constructor(
    private readonly element: HTMLElement,
    private readonly context: FindContext,
    private readonly close: () => void,
  ) {
    this.#search = new Search(context.replica, () => context.thread.order(), {
      onDidFind: ({ found, isCapped }) => this.#take(new Matches(found, isCapped)),
      onDidPlace: (places) => this.#highlighter.place(places),
      onDidStop: () => this.#stop(),
    });
    this.#highlighter = new FindHighlighter(context.thread.element, this.#search, (id) => this.#handlePlaced(id));
    element.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  /** The box is opened, or requested again. @param text the selection in the conversation */
  show(text: string): void {
    if (text !== '') this.#query = { ...this.#query, text };
    this.#draw();
    focusOn(this.#input);
    this.#input?.select();
    this.#start();
  }

  /** The box is closed. */
  hide(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#search.find(undefined);
    this.#search.stop();
    this.#highlighter.reset();
    this.#matches = NONE;
    this.#opened = undefined;
  }

  /** Another thread is shown, or the same one anew. */
  reset(): void {
    this.#highlighter.reset();
    this.#search.reset();
  }

  /** Entries have come or changed. */
  follow(ids: Iterable<EntryId>): void {
    this.#search.follow(ids);
  }

  /** Some content may have been drawn. */
  settle(): void {
    if (this.#matches.total === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, LOOK_MS);
  }

  /** Goes to the next or previous match. */
  step(by: 1 | -1): void {
    this.#matches.step(by);
    this.#reveal();
    this.#draw();
  }

  get #input(): HTMLInputElement | null {
    return this.element.querySelector('input');
  }

  #start(): void {
    const pattern = toPattern(this.#query);
    this.#problem = undefined;
    this.#highlighter.reset();
    if (!pattern || 'problem' in pattern) {
      this.#search.find(undefined);
      this.#matches = NONE;
      if (pattern) this.#problem = { words: l10n.t('Invalid expression'), detail: pattern.problem };
      this.#isSearching = false;
    } else {
      this.#isSearching = true;
      this.#search.find(pattern);
    }
    this.#draw();
  }

  #take(matches: Matches): void {
    const { current } = this.#matches;
    const isFirst = this.#isSearching;
    this.#isSearching = false;
    matches.stayAt(current?.id ?? this.context.thread.place.topEntry(), current?.nth ?? 0, this.context.thread.order());
    this.#matches = matches;
    this.#draw();
    // Content that an agent adds meanwhile does not scroll the view.
    if (isFirst) this.#reveal();
    else this.#highlighter.look(matches);
  }

  #stop(): void {
    this.#matches = NONE;
    this.#isSearching = false;
    this.#problem = {
      words: l10n.t('Search timed out'),
      detail: l10n.t('The search took too long. Use a simpler expression.'),
    };
    this.#highlighter.reset();
    this.#draw();
  }

  #reveal(): void {
    const { current } = this.#matches;
    if (this.#opened && this.#opened.id !== current?.id) {
      this.#opened.undo();
      this.#opened = undefined;
    }
    this.#wantsReveal = current !== undefined;
    if (current) this.#look();
    else this.#highlighter.reset();
  }

  /** Searches what is drawn, and goes on towards the current match. */
  #look(): void {
    const { current } = this.#matches;
    const wanted = this.#wantsReveal ? current?.id : undefined;
    // A match in view does not scroll the view. A frame may have removed an entry that is far from it.
    if (wanted !== undefined && !this.context.thread.elementOf(wanted)) this.context.thread.reveal(wanted);
    this.#highlighter.look(this.#matches);
    if (wanted !== undefined) this.#handlePlaced(wanted);
  }

  /** The range of the current match. */
  #range(): Range | undefined {
    const { current } = this.#matches;
    const ranges = current && this.#highlighter.rangesOf(current.id);
    return ranges?.[Math.min(current!.nth, ranges.length - 1)];
  }

  #handlePlaced(id: EntryId): void {
    const { current } = this.#matches;
    const ranges = current && this.#highlighter.rangesOf(current.id);
    const range = this.#range();
    this.#highlighter.paint(range);
    if (current?.id !== id || !ranges) return;
    if (!this.#wantsReveal) this.context.thread.scroll.settle();
    else if (range && !isCutOff(range)) {
      this.#wantsReveal = false;
      this.#scrollTo(range);
    } else if (this.#opened?.id !== id) this.#opened = { id, undo: this.context.thread.openAll(id) };
    else if (this.#isShownAsOpened(id)) {
      this.#wantsReveal = false;
      // The match is in content that cannot be shown here; its entry is the nearest place.
      if (range) this.#scrollTo(range);
      else this.context.thread.reveal(id);
    }
  }

  /** True if the known matches are those of the opened entry. If not, the frame that draws it calls `settle`. */
  #isShownAsOpened(id: EntryId): boolean {
    if (!this.context.thread.isDrawn(id)) return false;
    this.#highlighter.look(this.#matches);
    return this.#highlighter.rangesOf(id) !== undefined;
  }

  #scrollTo(range: Range): void {
    // Scroll code and output first; then the thread shows the line.
    showRange(range);
    const { scroll } = this.context.thread;
    if (scroll.atEnd && this.#away(range) === 0) return;
    // Its surroundings may get their height later, and the entry opened for the previous match closes now.
    scroll.holdAt(() => {
      const now = this.#range();
      if (now) this.context.thread.element.scrollTop += this.#away(now);
    });
    scroll.settle();
  }

  /**
   * The distance to scroll until a line is in the middle; 0 if it is in view, or has no layout. The box covers the top.
   */
  #away(range: Range): number {
    const view = this.context.thread.element.getBoundingClientRect();
    const { top, bottom, height } = range.getBoundingClientRect();
    return height === 0 || (top > view.top + 60 && bottom < view.bottom - 20) ? 0 : top - view.top - view.height / 2;
  }

  #handleKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const { key } = event;
    const toggle = holdsOnlyAlt(event)
      ? ({ KeyC: 'matchCase', KeyW: 'wholeWord', KeyR: 'isRegex' } as const)[event.code]
      : undefined;
    if (toggle) this.#toggle(toggle);
    else if (key === 'Enter' && event.target === this.#input) this.step(event.shiftKey ? -1 : 1);
    else if (key === 'Escape') this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #toggle(name: Toggle): void {
    this.#query = { ...this.#query, [name]: !this.#query[name] };
    this.#start();
  }

  #change(text: string): void {
    this.#query = { ...this.#query, text };
    this.#start();
  }

  #count(): string {
    const matches = this.#matches;
    if (this.#problem !== undefined) return this.#problem.words;
    if (this.#query.text === '') return '';
    if (matches.total === 0) return this.#isSearching ? l10n.t('Searching…') : l10n.t('No results');
    const at = numberText(matches.at + 1);
    const total = numberText(matches.total);
    return matches.isCapped ? l10n.t('{0} of {1}+', at, total) : l10n.t('{0} of {1}', at, total);
  }

  #draw(): void {
    const query = this.#query;
    const matches = this.#matches;
    const problem = this.#problem;
    const isEmpty = query.text !== '' && matches.total === 0 && !this.#isSearching;
    const toggle = (name: Toggle, iconName: string, words: string, key: string) => {
      const title = `${words} (${isMac ? '⌥⌘' : 'Alt+'}${key})`;
      return html`<button type="button" class="icon-button codicon codicon-${iconName}" aria-pressed=${query[name]}
        title=${title} aria-label=${words} @click=${() => this.#toggle(name)}></button>`;
    };
    const action = (iconName: string, title: string, run: () => void, isDisabled = false) =>
      html`<button type="button" class="icon-button codicon codicon-${iconName}" title=${title} aria-label=${title}
        ?disabled=${isDisabled} @click=${run}></button>`;
    render(
      html`<div class="find-input ${problem !== undefined || isEmpty ? 'nothing-found' : ''}">
          <input type="text" spellcheck="false" autocomplete="off" placeholder=${l10n.t('Find')}
            aria-label=${l10n.t('Find')} aria-invalid=${problem !== undefined} .value=${query.text}
            @input=${(event: Event) => this.#change((event.target as HTMLInputElement).value)}>
          ${toggle('matchCase', 'case-sensitive', l10n.t('Match Case'), 'C')}${toggle(
            'wholeWord',
            'whole-word',
            l10n.t('Match Whole Word'),
            'W',
          )}${toggle('isRegex', 'regex', l10n.t('Use Regular Expression'), 'R')}
        </div>
        <span class="find-count ${problem === undefined ? '' : 'failed'}" role="status"
          title=${problem?.detail ?? nothing}>${this.#count()}</span>
        <span class="find-actions">${action(
          'arrow-up',
          l10n.t('Previous Match (Shift+Enter)'),
          () => this.step(-1),
          matches.total === 0,
        )}${action(
          'arrow-down',
          l10n.t('Next Match (Enter)'),
          () => this.step(1),
          matches.total === 0,
        )}${action('close', l10n.t('Close (Escape)'), this.close)}</span>`,
      this.element,
    );
  }
}
