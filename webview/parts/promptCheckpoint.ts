import * as l10n from '@vscode/l10n';
import { render } from 'lit-html';
import type { UserMessageView } from '../../src/protocol/entryView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';

/** What a prompt offers about the files that changed after it: to bring them back, or to take that back. */
export class PromptCheckpoint {
  private readonly action = document.createElement('div');
  private readonly note = document.createElement('div');

  /** @param message the prompt's element, which gets both. */
  constructor(
    private readonly message: HTMLElement,
    private readonly context: PartContext,
  ) {
    this.action.className = 'prompt-actions';
    this.note.className = 'restored-note dim';
  }

  update({ id, sentAt }: UserMessageView): void {
    const known = this.context.panel().checkpoints;
    const isRestored = known !== undefined && known.restored === sentAt && sentAt !== undefined;
    const canRestore = known !== undefined && sentAt !== undefined && known.from <= sentAt && sentAt <= known.to && !isRestored;
    this.show(this.action, canRestore, () => restoreButton(() => this.context.post({ type: 'checkpoint/restore', entryId: id })));
    this.show(this.note, isRestored, () => restoredNote(() => this.context.post({ type: 'checkpoint/redo' })));
  }

  private show(element: HTMLElement, isShown: boolean, content: () => unknown): void {
    if (!isShown) return element.remove();
    render(content(), element);
    if (element.parentNode !== this.message) this.message.appendChild(element);
  }
}

function restoreButton(run: () => void) {
  const words = l10n.t('Restore files to before this prompt');
  return html`<button type="button" class="icon-button codicon codicon-history" title=${words} aria-label=${words} @click=${run}></button>`;
}

function restoredNote(run: () => void) {
  return html`${icon('history')}<span>${l10n.t('Restored to before this prompt')}</span><span aria-hidden="true">·</span><button type="button" class="link-button" aria-label=${l10n.t('Redo: bring back the later versions')} @click=${run}>${l10n.t('Redo')}</button>`;
}
