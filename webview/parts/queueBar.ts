import { html } from 'lit-html';
import type { QueuedPromptView } from '../../src/protocol/viewModel';
import { icon } from '../lib/icon';
import type { PartContext } from './context';

/** What the person wrote while a turn ran: one line each, in the order in which they will be sent. */
export function queueBar(queue: readonly QueuedPromptView[], running: boolean, context: PartContext) {
  return html`<ul class="strip queue-strip" role="list" aria-label="Queued messages">${queue.map((item) => row(item, running, context))}</ul>`;
}

function row({ id, text }: QueuedPromptView, running: boolean, context: PartContext) {
  const line = text.trim().split('\n', 1)[0] || 'Attachments';
  const send = running ? 'Send now: stops the agent first' : 'Send now';
  return html`<li>
    ${icon('reply', 'dim')}<span class="label" title=${text}>Queued: ${line}</span>
    <span class="end">
      <button type="button" class="icon-button codicon codicon-send" title=${send} aria-label=${`${send}: ${line}`} @click=${() => context.post({ type: 'queue/send', id })}></button>
      <button type="button" class="icon-button codicon codicon-edit" title="Edit" aria-label=${`Edit: ${line}`} @click=${() => context.post({ type: 'queue/edit', id })}></button>
      <button type="button" class="icon-button codicon codicon-close" title="Remove" aria-label=${`Remove: ${line}`} @click=${() => context.post({ type: 'queue/remove', id })}></button>
    </span>
  </li>`;
}
