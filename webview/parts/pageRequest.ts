import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { ElicitationView } from '../../src/protocol/formView';
import { showCopied } from '../lib/copied';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import type { PartContext } from './context';

type PageBody = Extract<ElicitationView['body'], { type: 'page' }>;

/** The site, the whole address, and warnings before a visit. None of it is a link. */
export function pageBody(body: PageBody, state: ElicitationView['state'], context: PartContext) {
  return html`<div class="page-host">${icon('globe')}<strong>${body.host}</strong></div>
    <div class="page-url"><code>${body.url}</code><button type="button" class="icon-button codicon codicon-copy"
      aria-label=${l10n.t('Copy address')} title=${l10n.t('Copy address')}
        @click=${({ currentTarget }: Event) => copy(body.url, currentTarget as HTMLElement, context)}></button></div>
    ${body.warnings.map(
      (warning) => html`<div class="page-warning">${icon('warning', 'attention')}<span>${warning}</span></div>`,
    )}
    ${
      state === 'opened'
        ? html`<div class="page-waits dim">${spinner()}<span>${l10n.t(
            'Opened in your browser. Waiting for you to finish there.',
          )}</span></div>`
        : nothing
    }`;
}

function copy(text: string, button: HTMLElement, context: PartContext): void {
  context.post({ type: 'code/copy', text });
  showCopied(button, context);
}

export function pageButtons({ requestId, state }: ElicitationView, ready: boolean, { post }: PartContext) {
  if (state === 'opened') {
    return html`<div class="buttons"><button type="button" class="secondary"
      @click=${() => post({ type: 'elicitation/open', requestId })}>${l10n.t('Open Again')}</button><button
        type="button" class="secondary"
        @click=${() => post({ type: 'elicitation/cancel', requestId })}>${l10n.t('Stop Waiting')}</button></div>`;
  }
  return html`<div class="buttons"><button type="button" class="primary" ?disabled=${!ready}
    @click=${() => post({ type: 'elicitation/open', requestId })}>${l10n.t('Open in Browser')}</button><button
      type="button" class="secondary" ?disabled=${!ready}
      @click=${() => post({ type: 'elicitation/decline', requestId })}>${l10n.t('Decline')}</button></div>`;
}
