import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import type { UserMessageView } from '../../src/protocol/entryView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';

/** The actions of a prompt: edit it, restore to before it, and undo a restore of its files. */
export class PromptActions {
  readonly #actions = document.createElement('div');
  readonly #note = document.createElement('div');

  /** @param message the prompt's element, which gets the buttons. */
  constructor(
    private readonly message: HTMLElement,
    private readonly context: PartContext,
  ) {
    this.#actions.className = 'prompt-actions';
    this.#note.className = 'restored-note dim';
  }

  update({ id, sentAt }: UserMessageView): void {
    const { context } = this;
    if (context.panel().imported) return this.#actions.remove();
    const isRestored = sentAt !== undefined && context.panel().checkpoints?.restored === sentAt;
    render(
      html`${button('edit', l10n.t('Edit'), l10n.t('Edit this message'), () =>
        context.post({ type: 'prompt/edit', entryId: id }),
      )}
        ${
          isRestored
            ? nothing
            : button(
                'history',
                l10n.t('Restore Checkpoint…'),
                l10n.t('Restore to the checkpoint before this message'),
                () => context.post({ type: 'checkpoint/restore', entryId: id }),
              )
        }`,
      this.#actions,
    );
    if (this.#actions.parentNode !== this.message) this.message.appendChild(this.#actions);
    if (!isRestored) return this.#note.remove();
    render(
      restoredNote(() => context.post({ type: 'checkpoint/redo' })),
      this.#note,
    );
    if (this.#note.parentNode !== this.message) this.message.appendChild(this.#note);
  }
}

function button(iconName: string, title: string, name: string, run: () => void) {
  return html`<button type="button" class="icon-button codicon codicon-${iconName}" title=${title} aria-label=${name}
    @click=${run}></button>`;
}

function restoredNote(run: () => void) {
  return html`${icon('history')}<span>${l10n.t('Files restored to the checkpoint before this message')}</span><span
    aria-hidden="true">·</span>${redoButton(run)}`;
}

/** Undoes a restore. */
export function redoButton(run: () => void) {
  return html`<button type="button" class="link-button" aria-label=${l10n.t('Redo: undo the restore')}
    @click=${run}>${l10n.t('Redo')}</button>`;
}
