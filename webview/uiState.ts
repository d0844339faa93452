import type { FormValue, FormValues } from '../src/protocol/formView';
import type { EntryId } from '../src/protocol/entryId';
import { maxMentions } from '../src/protocol/messages';
import type { MentionView, PanelUiState } from '../src/protocol/viewModel';
import type { Host } from './host';

/** How long a change waits for the next before it is told to the host. */
const DELAY_MS = 300;

/**
 * What only the user's side knows: the draft, what is open, where the thread is scrolled to. The host keeps it over
 * hiding and reloading; the webview's own state is a second copy for when the window reloads at once.
 */
export class UiState {
  draft = '';
  mentions: readonly MentionView[] = [];
  #editing: PanelUiState['editing'];
  #expanded: Record<EntryId, boolean> = {};
  #forms: Record<string, FormValues> = {};
  #told = '';
  #thread: { readonly threadId?: string; readonly isEmpty?: boolean } = {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param readScroll tells where the thread is; read only when the state is written */
  constructor(
    private readonly host: Host,
    private readonly readScroll: () => PanelUiState['scroll'],
  ) {
    document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && this.flush());
    // Before a command is about what was typed, which comes from the palette, a menu or a key.
    for (const type of ['pagehide', 'blur']) window.addEventListener(type, () => this.flush());
    window.addEventListener(
      'keydown',
      ({ ctrlKey, metaKey, altKey, key }) => (ctrlKey || metaKey || altKey || /^F\d/.test(key)) && this.flush(),
      { capture: true },
    );
  }

  /** Takes over what came with a snapshot. A draft that was typed since is newer than any that the host has. */
  restore(ui: PanelUiState, keepDraft: boolean, sameThread: boolean): void {
    if (!keepDraft) {
      this.draft = ui.draft;
      this.mentions = ui.mentions;
      this.#editing = ui.editing;
    } else if (!sameThread) this.changed();
    this.#expanded = sameThread ? { ...ui.expanded, ...this.#expanded } : { ...ui.expanded };
    this.#forms = sameThread ? { ...ui.forms, ...this.#forms } : { ...ui.forms };
    this.#told = JSON.stringify({
      draft: ui.draft,
      mentions: ui.mentions,
      expanded: ui.expanded,
      ...(ui.scroll ? { scroll: ui.scroll } : {}),
      ...(ui.editing ? { editing: ui.editing } : {}),
      ...(ui.forms ? { forms: ui.forms } : {}),
    });
  }

  /** Remembers which thread is shown: an editor tab comes back with it after a reload. */
  keepThread(threadId: string, isEmpty: boolean): void {
    this.#thread = { threadId, isEmpty };
    this.host.saveState({ ...(this.host.loadState() as object | undefined), ...this.#thread });
  }

  /** Whether the user opened or closed this by hand; `undefined` when they did neither. */
  isExpanded(key: string): boolean | undefined {
    return this.#expanded[key];
  }

  /** @param value `undefined` as if the user had done neither */
  setExpanded(key: string, value: boolean | undefined): void {
    if (value === undefined) delete this.#expanded[key];
    else this.#expanded[key] = value;
    this.changed();
  }

  /** What the user has put into a form so far; fields that they did not touch are not in it. */
  formValues(requestId: string): FormValues {
    return this.#forms[requestId] ?? {};
  }

  setFormValue(requestId: string, key: string, value: FormValue): void {
    this.#forms[requestId] = { ...this.#forms[requestId], [key]: value };
    this.changed();
  }

  /** The form is answered. */
  forgetForm(requestId: string): void {
    if (!(requestId in this.#forms)) return;
    delete this.#forms[requestId];
    this.changed();
  }

  setDraft(text: string, mentions: readonly MentionView[]): void {
    this.draft = text;
    this.mentions = mentions;
    this.changed();
  }

  /** An earlier prompt is edited in the box, or no more. */
  setEditing(editing: PanelUiState['editing']): void {
    this.#editing = editing;
    this.changed();
  }

  /** Something changed; tells the host soon. */
  changed(): void {
    this.#timer ??= setTimeout(() => this.flush(), DELAY_MS);
  }

  /** Tells the host now, if there is something to tell. */
  flush(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const scroll = this.readScroll();
    const kept: PanelUiState = {
      draft: this.draft,
      mentions: this.mentions.slice(0, maxMentions),
      expanded: this.#expanded,
      ...(scroll ? { scroll } : {}),
      ...(this.#editing ? { editing: this.#editing } : {}),
    };
    const ui: PanelUiState = Object.keys(this.#forms).length > 0 ? { ...kept, forms: this.#forms } : kept;
    const told = JSON.stringify(ui);
    if (told === this.#told) return;
    this.#told = told;
    // VS Code writes this to disk, where nothing of a form may stand.
    this.host.saveState({ ...kept, ...this.#thread });
    this.host.post({ type: 'ui/changed', ui });
  }
}
