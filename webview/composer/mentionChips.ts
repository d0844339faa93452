import { html } from 'lit-html';
import type { MentionView } from '../../src/protocol/viewModel';
import { icon } from '../lib/icon';

/** The files that a message mentions, each with a way to take it out. */
export function mentionChips(mentions: readonly MentionView[], remove: (mention: MentionView) => void) {
  return mentions.map((mention) => {
    const name = mention.token.slice(1);
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Backspace' && event.key !== 'Delete') return;
      event.preventDefault();
      remove(mention);
    };
    return html`<span class="chip" title=${mention.path}>${icon(mention.label.endsWith('/') ? 'folder' : 'file')}<span class="label">${name}</span><button
        type="button" class="icon-button codicon codicon-close" title="Remove" aria-label=${`Remove ${name}`}
        @click=${() => remove(mention)} @keydown=${handleKey}></button></span>`;
  });
}
