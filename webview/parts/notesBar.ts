import { nothing } from 'lit-html';
import type { NoteAct, NotesView, NoteView } from '../../src/protocol/notesView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';
import { action } from './stripAction';

/** What the agent is told of the review with the next message: one line, its list, and the question whether more is told. */
export function notesBar({ items, title, offer }: NotesView, open: boolean, toggle: () => void, context: PartContext) {
  const act = (kind: NoteAct) => () => context.post({ type: 'notes/act', act: kind });
  return html`${offer === undefined
      ? nothing
      : html`<div class="strip offer-strip" role="group" aria-label="Tell the agent">
          <span>${offer}</span>
          <span class="actions">
            ${word('Add reason…', act('reason'))}${word('Tell', act('tell'))}${word('Don’t', act('keepQuiet'))}
          </span>
        </div>`}
    ${items.length === 0
      ? nothing
      : html`<div class="strip notes-strip ${open ? 'open' : ''}" role="group" aria-label="Comments">
          <div class="strip-line">
            <button type="button" class="head-button" aria-expanded=${open} title="Will be sent with your next message" @click=${toggle}>
              ${icon(open ? 'chevron-down' : 'chevron-right')}<span class="label">${title}</span>
            </button>
            <span class="end actions">
              ${action('Clear', 'clear-all', 'secondary', act('clear'))}
              ${action('Send now', 'send', 'secondary', act('send'))}
            </span>
          </div>
          ${open ? html`<ul aria-label="To be sent" role="list">${items.map((item) => row(item, context))}</ul>` : nothing}
        </div>`}`;
}

function word(name: string, run: () => void) {
  return html`<button type="button" class="secondary" @click=${run}>${name}</button>`;
}

function row({ id, kind, place, text }: NoteView, context: PartContext) {
  const { icon: iconName, word } = KINDS[kind];
  return html`<li class="note-row">
    <button type="button" class="head-button" title="Go to the lines" @click=${() => context.post({ type: 'note/open', id })}>
      ${icon(iconName)}<span class="visually-hidden">${word}</span><span class="place">${place}</span>${text === '' ? nothing : html`<span class="dim label">${text}</span>`}
    </button>
    <button type="button" class="icon-button codicon codicon-close" title="Remove" aria-label=${`Remove: ${place}`} @click=${() => context.post({ type: 'note/remove', id })}></button>
  </li>`;
}

const KINDS = { comment: { icon: 'comment', word: 'Comment: ' }, undone: { icon: 'discard', word: 'Undone: ' }, edited: { icon: 'edit', word: 'Edited: ' } } as const;
