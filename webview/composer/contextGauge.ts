import * as l10n from '@vscode/l10n';
import { nothing, svg } from 'lit-html';
import { numberText } from '../../src/base/numberText';
import { visibleLine } from '../../src/base/visibleText';
import type { PlanWindowView, TurnUsageView, UsageView } from '../../src/protocol/usageView';
import { formatCost, formatTokens } from '../../src/protocol/format';
import { html } from '../lib/html';

/** From this share on, the ring has a warning colour: agents compact, or fail, soon after. */
const NEARLY_FULL = 0.8;
/** Length of the ring's circle, whose radius is 5. */
const CIRCUMFERENCE = 2 * Math.PI * 5;

/**
 * The fill level of the agent's context: a ring and a percentage, with the numbers on hover and focus. If the agent
 * does not report the size, there is no ring and no percentage; without any report there is no gauge.
 */
export function contextGauge(usage: UsageView | undefined) {
  if (!usage) return nothing;
  const share = shareOf(usage);
  const lines = usageLines(usage);
  const fullest = usage.windows?.filter(isCurrent)[0];
  const isNearlyUsed = fullest !== undefined && (fullest.isReached === true || (fullest.share ?? 0) >= NEARLY_FULL);
  if (lines.length === 0) return nothing;
  const short =
    share === undefined && !usage.context && !usage.turn
      ? fullest?.share === undefined
        ? l10n.t('Limit')
        : `${percent(Math.min(1, fullest.share))} %`
      : share === undefined
        ? formatTokens(usage.context?.used ?? usage.turn?.total ?? 0)
        : `${percent(share)} %`;
  return html`<span class="gauge ${isNearlyUsed || (share !== undefined && share >= NEARLY_FULL) ? 'nearly-full' : ''}"
    tabindex="0" role="img" aria-label=${lines.join('. ')} @keydown=${dismiss}>
    ${share === undefined ? nothing : ring(share)}<span class="gauge-short" aria-hidden="true">${short}</span>
    <span class="gauge-detail" aria-hidden="true">${lines.map((line) => html`<span>${line}</span>`)}</span>
  </span>`;
}

/** The agent's report as sentences. */
export function usageLines({ context, cost, turn, windows, account }: UsageView): string[] {
  const share = shareOf({ ...(context ? { context } : {}) });
  const lines: string[] = [];
  if (context && share !== undefined)
    lines.push(
      l10n.t('{0}% of the context used', percent(share)),
      l10n.t('{0} of {1} tokens', numberText(context.used), numberText(context.size)),
    );
  else if (context) lines.push(l10n.t('{0} tokens in the context', numberText(context.used)));
  if (turn) lines.push(turnLine(turn));
  if (cost) lines.push(l10n.t('Cost of this session: {0}', formatCost(cost.amount, cost.currency)));
  lines.push(...(windows ?? []).filter(isCurrent).map(windowLine));
  if (account !== undefined) lines.push(l10n.t('Account: {0}', visibleLine(account)));
  return lines;
}

/** A window that has restarted counts as unused, even before the agent reports that. */
export function isCurrent({ resetsAt }: PlanWindowView): boolean {
  return resetsAt === undefined || resetsAt > Date.now();
}

/** A window in words: its share and when it starts again. */
export function windowLine({ label, share, resetsAt, isReached }: PlanWindowView): string {
  const words = isReached
    ? l10n.t('{0}: reached', visibleLine(label))
    : share === undefined
      ? visibleLine(label)
      : l10n.t('{0}: {1}% used', visibleLine(label), percent(Math.min(1, share)));
  return resetsAt === undefined ? words : l10n.t('{0}, resets {1}', words, momentText(resetsAt));
}

/** For today, only the time. */
function momentText(at: number): string {
  const isSoon = at - Date.now() < 86_400_000;
  return new Date(at).toLocaleString(
    undefined,
    isSoon ? { hour: '2-digit', minute: '2-digit' } : { weekday: 'short', hour: '2-digit', minute: '2-digit' },
  );
}

function turnLine({ total, input, output, thought, cached }: TurnUsageView): string {
  const parts = [l10n.t('{0} input', numberText(input)), l10n.t('{0} output', numberText(output))];
  if (thought !== undefined) parts.push(l10n.t('{0} thinking', numberText(thought)));
  if (cached !== undefined) parts.push(l10n.t('{0} cached', numberText(cached)));
  return l10n.t('Last turn: {0} tokens ({1})', numberText(total), parts.join(', '));
}

/** 0 to 1; `undefined` if the size is unknown. Some agents count more than fits. */
function shareOf({ context }: UsageView): number | undefined {
  return context && context.size > 0 ? Math.min(1, context.used / context.size) : undefined;
}

/** Never rounds a small share to 0, or one below 100 to 100. */
function percent(share: number): number {
  if (share > 0 && share < 0.01) return 1;
  return share < 1 ? Math.min(99, Math.round(share * 100)) : 100;
}

function ring(share: number) {
  return html`<svg class="gauge-ring" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
    ${svg`<circle class="track" cx="7" cy="7" r="5"></circle>
      <circle class="value" cx="7" cy="7" r="5" transform="rotate(-90 7 7)"
        stroke-dasharray="${share * CIRCUMFERENCE} ${CIRCUMFERENCE}"></circle>`}
  </svg>`;
}

/** Closes the numbers without moving the pointer or the focus. */
function dismiss(event: KeyboardEvent): void {
  const gauge = event.currentTarget as HTMLElement;
  if (event.key !== 'Escape' || gauge.classList.contains('dismissed')) return;
  event.stopPropagation();
  gauge.classList.add('dismissed');
  gauge.addEventListener('blur', () => gauge.classList.remove('dismissed'), { once: true });
}
