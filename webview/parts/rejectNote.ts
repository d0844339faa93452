import { html } from 'lit-html';
import type { TemplateResult } from 'lit-html';

export interface RejectNoteOptions {
  readonly agent: string;
  /** The agent's own words for the no that goes with it. */
  readonly optionName: string;
  readonly text: string;
  readonly ready: boolean;
  readonly change: (text: string) => void;
  readonly send: (text: string) => void;
  readonly close: () => void;
}

/** One line for what the person wants instead; Enter rejects and sends it, Escape puts it away. */
export function rejectNote({ agent, optionName, text, ready, change, send, close }: RejectNoteOptions): TemplateResult {
  const submit = (event: Event, value: string) => {
    event.preventDefault();
    if (ready && value.trim() !== '') send(value.trim());
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return html`<form class="reject-note" autocomplete="off" @keydown=${handleKey}
      @submit=${(event: SubmitEvent) => submit(event, (event.currentTarget as HTMLFormElement).querySelector('input')!.value)}>
    <input type="text" maxlength="4000" .value=${text} placeholder=${`Tell ${agent} what to do instead`} aria-label=${`Tell ${agent} what to do instead`}
      @input=${(event: Event) => change((event.target as HTMLInputElement).value)}>
    <button type="submit" class="secondary" ?disabled=${!ready || text.trim() === ''} title=${`Answers “${optionName}” and sends this as your next message`}>Reject and send</button>
    <button type="button" class="icon-button codicon codicon-close" title="Close (Escape)" aria-label="Close the note" @click=${close}></button>
    <span class="visually-hidden">Answers “${optionName}” and sends this as your next message.</span>
  </form>`;
}
