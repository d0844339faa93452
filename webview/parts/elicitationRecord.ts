import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { ElicitationView } from '../../src/protocol/formView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';

/** The record of a settled request: its question and answer. */
export function elicitationRecord(view: ElicitationView, message: HTMLElement) {
  const { words: end, sign } = endOf(view);
  const words = view.isQuoted ? l10n.t('In the file: {0}', end) : end;
  return html`<div class="record-head">${icon(view.body.type === 'form' ? 'question' : 'globe')}<span
    class="title">${headOf(view)}</span><span class="dim end">${icon(sign)}${words}</span></div>
    ${view.message === undefined ? nothing : html`<div class="record-body dim">${message}</div>`}
    ${view.body.type === 'page' ? html`<div class="record-body dim">${view.body.host}</div>` : nothing}
    ${
      view.answers.length === 0
        ? nothing
        : html`<dl class="record-body">${view.answers.map(
            (answer) =>
              html`<div><dt class=${
                answer.label === view.title ? 'visually-hidden' : 'dim'
              }>${answer.label}</dt><dd>${answer.text}</dd></div>`,
          )}</dl>`
    }`;
}

/** A cut title has less information than the text below it. */
export function headOf(view: ElicitationView): string {
  return view.title.endsWith('…') ? l10n.t('Request') : view.title;
}

function endOf({ state, body }: ElicitationView): { readonly words: string; readonly sign: string } {
  switch (state) {
    case 'completed':
      return { words: l10n.t('Finished'), sign: 'check' };
    case 'declined':
      return { words: l10n.t('Declined'), sign: 'circle-slash' };
    case 'cancelled':
      return { words: l10n.t('Dismissed'), sign: 'close' };
    case 'withdrawn':
      return { words: l10n.t('Not answered'), sign: 'circle-slash' };
    default:
      return { words: body.type === 'page' ? l10n.t('Opened') : l10n.t('Answered'), sign: 'check' };
  }
}
