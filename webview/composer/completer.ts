import * as l10n from '@vscode/l10n';
import { splitLines } from '../../src/base/mentionToken';
import type { ContextSource } from '../../src/protocol/attachments';
import type { FoundFile } from '../../src/protocol/messages';
import type { CommandView } from '../../src/protocol/viewModel';
import { type CompletionItem, CompletionPopup } from './completion';
import { commandItem, contextItems, fileItem } from './completionItems';
import { type Trigger, triggerAt } from './mentions';

/** The pause in typing before a question: one question per word, not per letter. */
const DELAY_MS = 60;

/** Asks the host for files; only the answer to the latest question counts. */
class FileQuery {
  files: readonly FoundFile[] = [];
  searching = false;
  #text: string | undefined;
  #id = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ask: (queryId: number, text: string) => void,
    private readonly onDidChange: () => void,
  ) {}

  /** Searches for `text`. Earlier results stay visible until the new ones arrive. */
  search(text: string): void {
    if (this.#text === text) return;
    this.#text = text;
    this.searching = true;
    clearTimeout(this.#timer);
    // A pending answer is to another question.
    const id = ++this.#id;
    this.#timer = setTimeout(() => this.ask(id, text), DELAY_MS);
  }

  answer(queryId: number, files: readonly FoundFile[]): void {
    if (queryId !== this.#id || this.#text === undefined) return;
    this.files = files;
    this.searching = false;
    this.onDidChange();
  }

  /** Cancels the search: there is nothing to complete. */
  cancel(): void {
    if (this.#text === undefined) return;
    clearTimeout(this.#timer);
    this.#text = undefined;
    this.files = [];
    this.searching = false;
  }
}

export interface CompleterActions {
  readonly commands: () => readonly CommandView[];
  /** Why there are no commands yet, and whether they are loading. */
  readonly noCommands: () => { readonly words: string; readonly isLoading: boolean } | undefined;
  /** Asks the host for files; `answer` gets the result. */
  readonly find: (queryId: number, text: string) => void;
  /** Replaces the typed word. */
  readonly insert: (trigger: Trigger, text: string) => void;
  readonly mention: (file: FoundFile, trigger: Trigger) => void;
  /** True if this word is already a mention. */
  readonly isMention: (token: string) => boolean;
  readonly addContext: (source: ContextSource) => void;
  /** The search has ended. */
  readonly found: () => void;
}

/** Completes the word at the caret: commands after `/`, files and contexts after `@`. */
export class Completer {
  readonly #popup: CompletionPopup;
  readonly #files: FileQuery;
  #trigger: Trigger | undefined;
  /** The position of a list that was closed with Escape: it stays closed until another word begins. */
  #dismissedAt = -1;

  constructor(
    private readonly box: HTMLTextAreaElement,
    private readonly actions: CompleterActions,
  ) {
    this.#popup = new CompletionPopup(box, (index) => this.#accept(index));
    this.#files = new FileQuery(actions.find, () => {
      this.#show();
      actions.found();
    });
  }

  get element(): HTMLElement {
    return this.#popup.element;
  }

  get isSearching(): boolean {
    return this.#files.searching;
  }

  /** Finds the word at the caret and shows its completions. */
  complete(): void {
    const caret = this.box.selectionStart;
    const trigger = caret === this.box.selectionEnd ? triggerAt(this.box.value, caret) : undefined;
    if (trigger?.from !== this.#dismissedAt) this.#dismissedAt = -1;
    this.#trigger = this.#dismissedAt >= 0 ? undefined : trigger;
    if (this.#trigger?.kind === 'file') this.#files.search(splitLines(this.#trigger.query).name);
    else this.#files.cancel();
    this.#show();
  }

  commandsChanged(): void {
    if (this.#trigger?.kind === 'command') this.#show();
  }

  answer(queryId: number, files: readonly FoundFile[]): void {
    this.#files.answer(queryId, files);
  }

  /** Ignores files and commands that arrive later. */
  stop(): void {
    this.#trigger = undefined;
    this.#files.cancel();
    this.#popup.close();
  }

  /**
   * @param sends whether the key sends the message while no list is open
   * @returns whether the list handles the key; `later`: call `take` when the search has ended
   */
  handleKey(event: KeyboardEvent, sends: boolean): boolean | 'later' {
    if (!this.#popup.isOpen) return false;
    if (event.key === 'Escape') {
      this.#dismissedAt = this.#trigger?.from ?? -1;
      this.stop();
      return true;
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      this.#popup.move(event.key === 'ArrowDown' ? 1 : -1);
      return true;
    }
    if ((event.key !== 'Tab' && event.key !== 'Enter') || event.shiftKey || event.ctrlKey || event.metaKey)
      return false;
    if (this.#popup.activeIndex < 0) return this.#isAwaited && (event.key === 'Tab' || (sends && 'later'));
    // A completely typed command is sent, not completed again.
    if (
      event.key === 'Enter' &&
      this.#trigger?.kind === 'command' &&
      this.actions.commands().some((c) => c.name === this.#trigger!.query)
    )
      return false;
    return this.take();
  }

  /** Accepts the selected completion. @returns false if there is none */
  take(): boolean {
    const { activeIndex } = this.#popup;
    if (!this.#popup.isOpen || activeIndex < 0) return false;
    this.#accept(activeIndex);
    return true;
  }

  /** True if a search runs for a word that is not a mention yet. */
  get #isAwaited(): boolean {
    return this.isSearching && this.#trigger !== undefined && !this.actions.isMention(`@${this.#trigger.query}`);
  }

  #show(): void {
    const trigger = this.#trigger;
    if (!trigger) this.#popup.close();
    else if (trigger.kind === 'file') {
      this.#popup.show(
        l10n.t('Files'),
        this.#fileChoices(trigger.query).map(({ item }) => item),
        this.isSearching
          ? { words: l10n.t('Searching…'), isLoading: true }
          : { words: l10n.t('No files found'), isLoading: false },
      );
    } else {
      const items = this.#matchingCommands(trigger.query).map(commandItem);
      const missing =
        this.actions.commands().length === 0 && !trigger.query.includes('/') ? this.actions.noCommands() : undefined;
      if (items.length > 0) this.#popup.show(l10n.t('Commands'), items);
      else if (missing) this.#popup.show(l10n.t('Commands'), [], missing);
      else this.#popup.close();
    }
  }

  #matchingCommands(query: string): CommandView[] {
    return fuzzyFilter(query, this.actions.commands(), (c) => c.name);
  }

  /** Files for the text after `@`, and contexts with matching names. */
  #fileChoices(query: string): { readonly item: CompletionItem; readonly take: (trigger: Trigger) => void }[] {
    // Results for a shorter text may no longer match.
    const found = this.isSearching
      ? fuzzyFilter(splitLines(query).name, this.#files.files, ({ folder, name }) => `${folder}/${name}`)
      : this.#files.files;
    const files = found.map((file) => ({
      item: fileItem(file),
      take: (trigger: Trigger) => this.actions.mention(file, trigger),
    }));
    const { first, items } = contextItems(query);
    const contexts = items.map((item) => ({
      item,
      take: (trigger: Trigger) => {
        this.actions.insert(trigger, '');
        this.actions.addContext(item.source);
      },
    }));
    if (first) return [...contexts, ...files];
    // A quick Enter means the file that is about to be found.
    return this.isSearching ? files : [...files, ...contexts];
  }

  #accept(index: number): void {
    const trigger = this.#trigger;
    if (!trigger) return;
    if (trigger.kind === 'command') {
      const command = this.#matchingCommands(trigger.query)[index];
      if (command) this.actions.insert(trigger, `/${command.name} `);
    } else {
      this.#fileChoices(trigger.query)[index]?.take(trigger);
    }
    this.stop();
  }
}

/** How well `query`'s characters are found in `text`, in order; higher is better, `undefined` if they are not. */
function fuzzyScore(query: string, text: string): number | undefined {
  const wanted = query.toLowerCase();
  const given = text.toLowerCase();
  if (wanted === '') return 0;
  if (given.startsWith(wanted)) return 1000 - given.length;
  const inside = given.indexOf(wanted);
  if (inside >= 0) return 500 - inside - given.length;
  let score = 0;
  let from = 0;
  for (const char of wanted) {
    const at = given.indexOf(char, from);
    if (at < 0) return undefined;
    // The beginning of a word scores higher than its middle.
    score += at === 0 || /[-_./: ]/.test(given[at - 1]!) ? 8 : at === from ? 4 : 0;
    from = at + 1;
  }
  return score - given.length;
}

/** The items that match, best first; equals keep their order. */
export function fuzzyFilter<T>(query: string, items: readonly T[], text: (item: T) => string): T[] {
  return items
    .map((item, i) => ({ item, i, score: fuzzyScore(query, text(item)) }))
    .filter((m) => m.score !== undefined)
    .sort((a, b) => b.score! - a.score! || a.i - b.i)
    .map((m) => m.item);
}
