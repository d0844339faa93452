import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { NoteAct, NotesView, NoteView } from '../../src/protocol/notesView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';
import type { PendingPart } from './pendingStrip';
import { action } from './stripAction';

/** Feedback to the agent that will be sent with the next message, and its list. */
export function pendingNotes({ items, title }: NotesView, context: PartContext): PendingPart {
  const act = (kind: NoteAct) => () => context.post({ type: 'notes/act', act: kind });
  return {
    kind: 'notes',
    name: l10n.t('Comments'),
    label: title,
    hint: l10n.t('Will be sent with your next message'),
    icon: 'comment',
    brief: items.length,
    actions: html`${action(l10n.t('Clear'), 'clear-all', act('clear'))}
      ${action(l10n.t('Send now'), 'send', act('send'))}`,
    list: (open) =>
      open
        ? html`<ul aria-label=${l10n.t('To be sent')} role="list">${repeat(
            items,
            ({ id }) => id,
            (item) => row(item, context),
          )}</ul>`
        : nothing,
  };
}

/** Decisions that will be sent with the next message, and the button to leave them out. */
export function offerStrip(offer: string, context: PartContext) {
  const words = l10n.t('Don’t include');
  return html`<div class="strip offer-strip" role="group" aria-label=${offer}>
    ${icon('comment')}<span class="label" title=${offer}>${offer}</span>
    <button type="button" class="icon-button codicon codicon-close" title=${words} aria-label=${words}
      @click=${() => context.post({ type: 'notes/act', act: 'leaveOut' })}></button>
  </div>`;
}

function row({ id, kind, place, text }: NoteView, context: PartContext) {
  const { icon: iconName, name } = KINDS[kind];
  return html`<li class="note-row">
    <button type="button" class="head-button" title=${l10n.t('Go to lines')}
      @click=${() => context.post({ type: 'note/open', id })}>
      ${icon(iconName)}<span class="visually-hidden">${name()}: </span><span class="place">${place}</span>${
        text === '' ? nothing : html`<span class="dim label">${text}</span>`
      }
    </button>
    <button type="button" class="icon-button codicon codicon-close" title=${l10n.t('Remove')}
      aria-label=${l10n.t('Remove: {0}', place)} @click=${() => context.post({ type: 'note/remove', id })}></button>
  </li>`;
}

const KINDS = {
  comment: { icon: 'comment', name: () => l10n.t('Comment') },
  undone: { icon: 'discard', name: () => l10n.t('Undone') },
  edited: { icon: 'edit', name: () => l10n.t('Edited') },
} as const;
