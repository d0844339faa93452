import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { AgentNoticeView } from '../../src/protocol/viewModel';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';

/** The newest notice of the agent as one line, which opens if there is more to read; the others follow behind it. */
export function agentNotices(
  notices: readonly AgentNoticeView[],
  open: boolean,
  toggle: () => void,
  context: PartContext,
) {
  const notice = notices.at(-1);
  if (!notice) return nothing;
  const { id, severity, title, description } = notice;
  const words = html`${icon(ICONS[severity])}<span class="visually-hidden">${severityName(severity)}: </span><span
    class="label" title=${title}>${title}</span>`;
  return html`<div class="strip notice-strip strip-${severity} ${open ? 'open' : ''}" role="group"
    aria-label=${l10n.t('Notice from {0}', context.panel().agent)}>
    <div class="strip-line">
      ${
        description === undefined && title.length <= SHORT
          ? html`<span class="head-button">${words}</span>`
          : html`<button type="button" class="head-button" aria-expanded=${open}
            @click=${toggle}>${words}${icon(open ? 'chevron-down' : 'chevron-right')}</button>`
      }
      <span class="end">${
        notices.length > 1 ? html`<span class="dim">${l10n.t('{0} more', notices.length - 1)}</span>` : nothing
      }<button type="button" class="icon-button codicon codicon-close" title=${l10n.t('Dismiss')}
        aria-label=${l10n.t('Dismiss: {0}', title)}
          @click=${() => context.post({ type: 'agentNotice/dismiss', id })}></button></span>
    </div>
    ${open && description !== undefined ? html`<p class="notice-text">${description}</p>` : nothing}
  </div>`;
}

/** Characters of a title that fit on one line in most panels; a longer one can be opened. */
const SHORT = 36;

const ICONS: Record<AgentNoticeView['severity'], string> = {
  info: 'info',
  warning: 'warning',
  error: 'error',
  other: 'info',
};

function severityName(severity: AgentNoticeView['severity']): string {
  switch (severity) {
    case 'info':
      return l10n.t('Information');
    case 'warning':
      return l10n.t('Warning');
    case 'error':
      return l10n.t('Error');
    case 'other':
      return l10n.t('Notice');
  }
}

/** The screen reader's text for a new notice. */
export function noticeWords(agent: string, { severity, title }: AgentNoticeView): string {
  return `${severityName(severity)}: ${l10n.t('{0} says: {1}', agent, title)}`;
}
