import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { PlanWindowView } from '../../src/protocol/usageView';
import type { PanelView } from '../../src/protocol/viewModel';
import { isCurrent, windowLine } from '../composer/contextGauge';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';
import { action } from './stripAction';

/** From this share on there is a notice: little is left of the window. */
const NEARLY_USED = 0.9;

/** The window of the user's plan that the user should know of; undefined for none. */
function endingWindow({ usage, dismissedWindows = {} }: PanelView): PlanWindowView | undefined {
  return usage?.windows
    ?.filter(isCurrent)
    .find(
      ({ label, share = 0, isReached }) =>
        (isReached || share >= NEARLY_USED) && !((dismissedWindows[label] ?? 0) > Date.now()),
    );
}

/** One quiet line before a window of the user's plan is used up. */
export function usageStrip(panel: PanelView, context: PartContext) {
  const window = endingWindow(panel);
  if (!window) return nothing;
  const { label, resetsAt } = window;
  const line = windowLine(window);
  const words = `${panel.agent} · ${line}`;
  return html`<div class="strip notice-strip usage-strip" role="group" aria-label=${l10n.t('Usage limit')}>
    <div class="strip-line">
      ${icon('dashboard')}<span class="label" title=${words}><span
        class="who">${panel.agent} · </span>${line}</span>
      <span class="end actions">${action(l10n.t('Continue With…'), 'arrow-swap', () =>
        context.post({ type: 'notice/act', action: 'continueWith' }),
      )}<button type="button" class="icon-button codicon codicon-close" title=${l10n.t('Dismiss')}
        aria-label=${l10n.t('Dismiss: {0}', words)} @click=${() =>
          context.post({
            type: 'usage/dismiss',
            label,
            ...(resetsAt === undefined ? {} : { resetsAt }),
          })}></button></span>
    </div>
  </div>`;
}
