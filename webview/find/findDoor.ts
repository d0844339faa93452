import * as l10n from '@vscode/l10n';
import type { EntryId } from '../../src/protocol/entryId';
import type { Replica } from '../../src/protocol/patch';
import type { FoundLine } from '../../src/protocol/sessionsView';
import { isFocusWithin } from '../lib/focus';
import { isMac } from '../lib/mac';
import type { Thread } from '../parts/threadPart';
import type { Dirty } from '../store';
import type { FindBox } from './findBox';
import type { FoundLinePlace } from './foundLine';

/** The parts of the panel that Find needs. */
export interface FindContext {
  readonly thread: Thread;
  readonly replica: Replica;
  log(error: unknown): void;
}

/** The place of Find over the conversation, and its keys. Its code is loaded when it is first opened. */
export class FindDoor {
  readonly element = document.createElement('div');
  #box: FindBox | undefined;
  #loading: Promise<FindBox | undefined> | undefined;
  #cameFrom: HTMLElement | undefined;
  /** The last line that the user was led to. */
  #place: FoundLinePlace | undefined;
  #wanted: FoundLine | undefined;

  constructor(private readonly context: FindContext) {
    this.element.className = 'find';
    this.element.hidden = true;
    this.element.setAttribute('role', 'search');
    this.element.setAttribute('aria-label', l10n.t('Find in the conversation'));
    // VS Code would look for its own command a moment later.
    window.addEventListener('keydown', (event) => this.#handleKey(event), true);
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Opens Find with the focus in its box. */
  async show(): Promise<void> {
    if (this.#isCovered) return;
    const active = document.activeElement;
    if (active instanceof HTMLElement && !this.element.contains(active)) this.#cameFrom = active;
    this.#box ??= await (this.#loading ??= this.#load());
    if (!this.#box || this.#isCovered) return;
    this.element.hidden = false;
    this.#box.show(this.#selectedText());
  }

  /** Closes Find. The focus returns to where it was. */
  close(): void {
    if (!this.isOpen) return;
    const hadFocus = isFocusWithin(this.element);
    this.element.hidden = true;
    this.#box?.hide();
    if (!hadFocus) return;
    const back =
      this.#cameFrom?.isConnected && this.#cameFrom !== document.body ? this.#cameFrom : this.context.thread.element;
    back.focus({ preventScroll: true });
  }

  /** Scrolls to a line in an entry, and opens its folds. */
  async goTo(id: EntryId, found: FoundLine): Promise<void> {
    this.#leavePlace();
    this.#wanted = found;
    try {
      const { FoundLinePlace } = await import('./foundLine');
      if (this.#wanted !== found) return;
      this.#place = new FoundLinePlace(this.context.thread, id, found);
    } catch (error) {
      this.context.log(error);
    }
  }

  /** Another thread is shown, or the same one anew. */
  reset(): void {
    this.#leavePlace();
    if (this.isOpen) this.#box?.reset();
  }

  /** The thread has changed. */
  follow({ added, completed, replaced, appended, terminals }: Dirty): void {
    if (!this.isOpen) return;
    if (this.#isCovered) return this.close();
    if (completed) return this.#box?.reset();
    const shown = [...terminals].flatMap((terminal) => this.context.thread.usersOf(terminal));
    if (added.length + replaced.size + appended.size + shown.length > 0)
      this.#box?.follow([...added, ...replaced, ...appended.keys(), ...shown]);
  }

  /** A frame was drawn. */
  settle(): void {
    if (this.isOpen) this.#box?.settle();
  }

  /** Another page replaces the conversation. */
  get #isCovered(): boolean {
    const { sessions, gallery } = this.context.replica.panel;
    return sessions !== undefined || gallery !== undefined;
  }

  #leavePlace(): void {
    this.#place?.end();
    this.#wanted = this.#place = undefined;
  }

  async #load(): Promise<FindBox | undefined> {
    try {
      const { FindBox } = await import('./findBox');
      return new FindBox(this.element, this.context, () => this.close());
    } catch (error) {
      this.#loading = undefined;
      this.context.log(error);
      return undefined;
    }
  }

  #handleKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const isFind =
      key.toLowerCase() === 'f' && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;
    const isStep = key === 'F3' && this.isOpen && !ctrlKey && !metaKey && !altKey;
    if ((!isFind || this.#isCovered) && !isStep) return;
    event.preventDefault();
    event.stopPropagation();
    if (isFind) void this.show();
    else this.#box?.step(shiftKey ? -1 : 1);
  }

  /** One selected line, as the editor uses it. */
  #selectedText(): string {
    const selection = getSelection();
    if (!selection?.anchorNode || !this.context.thread.element.contains(selection.anchorNode)) return '';
    const text = selection.toString();
    return text.length <= 200 && !text.trim().includes('\n') ? text.trim() : '';
  }
}
