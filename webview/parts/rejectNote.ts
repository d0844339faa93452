import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { html } from '../lib/html';

export interface RejectNoteOptions {
  readonly agent: string;
  /** The agent's words for the rejecting option. */
  readonly optionName: string;
  readonly text: string;
  /** Comments on the plan that are sent with it. */
  readonly comments: number;
  readonly ready: boolean;
  readonly change: (text: string) => void;
  readonly send: (text: string) => void;
  readonly close: () => void;
}

/** One line for the user's instruction instead; Enter rejects and sends it, Escape closes it. */
export function rejectNote({
  agent,
  optionName,
  text,
  comments,
  ready,
  change,
  send,
  close,
}: RejectNoteOptions): TemplateResult {
  const submit = (form: HTMLElement) => {
    const value = form.querySelector('input')!.value.trim();
    if (value !== '' || comments > 0) send(value);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (
      event.isComposing ||
      (event.key !== 'Escape' && !(event.key === 'Enter' && event.target instanceof HTMLInputElement))
    )
      return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') close();
    else submit(event.currentTarget as HTMLElement);
  };
  const prompt = l10n.t('Tell {0} what to do instead', agent);
  const effect =
    comments > 0
      ? l10n.t('Selects “{0}” and sends your comments as your next message.', optionName)
      : l10n.t('Selects “{0}” and sends your note as your next message.', optionName);
  return html`<div class="reject-note" role="group" aria-label=${l10n.t('Reject with a note')} @keydown=${handleKey}>
    <input type="text" class="form-input" maxlength="4000" autocomplete="off" .value=${text} placeholder=${prompt}
      aria-label=${prompt}
      @input=${(event: Event) => change((event.target as HTMLInputElement).value)}>
    <button type="button" class=${comments > 0 ? 'primary' : 'secondary'}
      ?disabled=${text.trim() === '' && comments === 0} aria-disabled=${ready ? nothing : 'true'} title=${effect}
      @click=${(event: Event) => submit((event.currentTarget as HTMLElement).parentElement!)}>${
        comments === 0
          ? l10n.t('Reject and send')
          : comments === 1
            ? l10n.t('Reject and send 1 comment')
            : l10n.t('Reject and send {0} comments', comments)
      }</button>
    ${
      comments > 0
        ? nothing
        : html`<button type="button" class="icon-button codicon codicon-close" title=${l10n.t('Close (Escape)')}
          aria-label=${l10n.t('Close the note')} @click=${close}></button>`
    }
    <span class="visually-hidden">${effect}</span>
  </div>`;
}
