import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { numberText } from '../../src/base/numberText';
import type { ToolCallView } from '../../src/protocol/toolCallView';
import { formatDuration, formatTokens } from '../../src/protocol/format';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import { elapsedElement } from '../lib/ticker';
import type { PartContext } from './context';
import type { SubagentState } from './subagents';
import { cancelButton, detailsButton, type Opening } from './toolHead';
import { statusIconName, statusWords } from './toolStatus';

/** The line of a call with a working subagent: its status, its activity, its number of calls. It opens these calls. */
export function subagentHead(
  view: ToolCallView,
  subagent: SubagentState,
  opening: Opening,
  context: PartContext,
): TemplateResult {
  const { status, calls, activity } = subagent;
  const { open, toggle } = opening;
  const words = status === 'waiting' ? l10n.t('Waiting for you') : statusWords(status);
  const isQuiet = status === 'running' || status === 'completed';
  return html`<div class="line-with-action subagent"><button type="button" class="line-button" aria-expanded=${open}
    title=${isQuiet ? view.title : `${view.title} · ${words}`} @click=${toggle}>
      ${statusIcon(status)}<span class="label">${view.title}</span><i
        class="codicon codicon-chevron-${open ? 'down' : 'right'} chevron" aria-hidden="true"></i><span
        class=${isQuiet ? 'visually-hidden' : `status ${status}`}>${words}</span>${
          status === 'running' && !open && activity !== undefined
            ? html`<span class="activity dim">${activity}</span>`
            : nothing
        }<span
        class="end"><span class="calls dim">${counts(view, calls)}</span>${time(view, status)}</span>
    </button>${detailsButton(view, opening)}${openBeside(view, context)}${cancelButton(view, context)}</div>`;
}

/** Opens the subagent in a tab of its own. */
function openBeside({ id, title }: ToolCallView, context: PartContext) {
  if (context.panel().subagent === id) return nothing;
  return html`<button type="button" class="icon-button codicon codicon-split-horizontal quiet"
    title=${l10n.t('Open in a tab')} aria-label=${l10n.t('Open in a tab: {0}', title)}
    @click=${() => context.post({ type: 'subagent/open', entryId: id })}></button>`;
}

function statusIcon(status: SubagentState['status']): TemplateResult {
  switch (status) {
    case 'running':
      return spinner();
    case 'waiting':
      return icon('shield', 'attention');
    case 'paused':
      return icon('debug-pause');
    case 'failed':
      return icon('error', 'failed');
    case 'cancelled':
    case 'rejected':
    case 'stopped':
    case 'blocked':
    case 'unfinished':
      return icon(statusIconName(status)!);
    case 'completed':
      return icon('robot');
  }
}

function callCount(calls: number): string {
  if (calls === 0) return '';
  return calls === 1 ? l10n.t('1 call') : l10n.t('{0} calls', numberText(calls));
}

/** "3 calls · 48K tokens" */
function counts({ tokens }: ToolCallView, calls: number): string {
  const words = tokens === undefined ? '' : l10n.t('{0} tokens', formatTokens(tokens));
  return [callCount(calls), words].filter(Boolean).join(' · ');
}

/** The clock pauses while the user is awaited. */
function time(view: ToolCallView, status: SubagentState['status']) {
  if (status === 'running' || status === 'paused')
    return html`<span class="dim">${elapsedElement(view.runsSince ?? view.startedAt)}</span>`;
  return view.durationMs === undefined || status === 'waiting'
    ? nothing
    : html`<span class="dim">${formatDuration(view.durationMs)}</span>`;
}
