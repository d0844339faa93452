import type { FormValue, FormValues } from '../src/protocol/formView';
import type { EntryId } from '../src/protocol/entryId';
import { maxMentions } from '../src/protocol/messages';
import type { MentionView, PanelUiState } from '../src/protocol/viewModel';
import type { Host } from './host';

/** How long a change waits for further ones before the host gets it. */
const DELAY_MS = 300;

/**
 * The panel's own state: the draft, the open entries, the scroll position. The host keeps it across hiding and
 * reloading; the webview's own state is a second copy for when the window reloads at once.
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

  /** @param readScroll returns the scroll position; called only when the state is written */
  constructor(
    private readonly host: Host,
    private readonly readScroll: () => PanelUiState['scroll'],
  ) {
    document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && this.flush());
    // Send the typed text before a command from the palette, a menu or a key uses it.
    for (const type of ['pagehide', 'blur']) window.addEventListener(type, () => this.flush());
    window.addEventListener(
      'keydown',
      ({ ctrlKey, metaKey, altKey, key }) => (ctrlKey || metaKey || altKey || /^F\d/.test(key)) && this.flush(),
      { capture: true },
    );
  }

  /** Takes over the state of a snapshot. A draft typed since is newer than the host's. */
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

  /** Remembers the shown thread: an editor tab shows it again after a reload. */
  keepThread(threadId: string, isEmpty: boolean): void {
    this.#thread = { threadId, isEmpty };
    this.host.saveState({ ...(this.host.loadState() as object | undefined), ...this.#thread });
  }

  /** True if the user opened or closed this by hand; `undefined` if they did neither. */
  isExpanded(key: string): boolean | undefined {
    return this.#expanded[key];
  }

  /** @param value `undefined` resets it */
  setExpanded(key: string, value: boolean | undefined): void {
    if (value === undefined) delete this.#expanded[key];
    else this.#expanded[key] = value;
    this.changed();
  }

  /** The user's values in a form so far; untouched fields are absent. */
  formValues(requestId: string): FormValues {
    return this.#forms[requestId] ?? {};
  }

  setFormValue(requestId: string, key: string, value: FormValue): void {
    this.#forms[requestId] = { ...this.#forms[requestId], [key]: value };
    this.changed();
  }

  /** The form was answered. */
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

  /** Begins or ends the edit of an earlier prompt in the box. */
  setEditing(editing: PanelUiState['editing']): void {
    this.#editing = editing;
    this.changed();
  }

  /** Sends a change to the host soon. */
  changed(): void {
    this.#timer ??= setTimeout(() => this.flush(), DELAY_MS);
  }

  /** Sends pending changes to the host now. */
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
    // VS Code writes this to disk, which must not contain form values.
    this.host.saveState({ ...kept, ...this.#thread });
    this.host.post({ type: 'ui/changed', ui });
  }
}
