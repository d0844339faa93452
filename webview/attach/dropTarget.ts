import * as l10n from '@vscode/l10n';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import { render } from 'lit-html';
import { isAttachable } from './transfer';

/** While something is dragged over the panel, events come several times a second; without them, the drag has ended. */
const QUIET_MS = 1_000;

/**
 * Accepts drops anywhere in the panel, and shows that during a drag. VS Code does not pass its own drags to a webview
 * unless Shift is held.
 */
export class DropTarget {
  readonly element = document.createElement('div');
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param drop takes the dropped data; false leaves it to the browser */
  constructor(private readonly drop: (data: DataTransfer) => boolean) {
    this.element.className = 'drop-overlay';
    this.element.hidden = true;
    render(
      html`<div class="drop-words">${icon('attach')}<span>${l10n.t('Drop to add to the message')}</span><span
        class="dim">${l10n.t('Hold Shift and drop to add to the message')}</span></div>`,
      this.element,
    );
    window.addEventListener('dragenter', (event) => this.#over(event));
    window.addEventListener('dragover', (event) => this.#over(event));
    window.addEventListener('dragleave', (event) => event.relatedTarget === null && this.#hide());
    window.addEventListener('drop', (event) => this.#handleDrop(event));
  }

  #over(event: DragEvent): void {
    if (!event.dataTransfer || !isAttachable(event.dataTransfer)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.element.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hide(), QUIET_MS);
  }

  #hide(): void {
    clearTimeout(this.#timer);
    this.element.hidden = true;
  }

  #handleDrop(event: DragEvent): void {
    this.#hide();
    if (!event.dataTransfer || !isAttachable(event.dataTransfer)) return;
    // By default, the browser would navigate to the dropped item; only the box can handle a web address.
    if (this.drop(event.dataTransfer) || !(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
  }
}
