import * as l10n from '@vscode/l10n';
import type { KeepCountdownView } from '../../src/protocol/changeView';
import { formatRemaining } from '../lib/format';
import { filled, html } from '../lib/html';
import { remainingElement } from '../lib/ticker';
import type { PartContext } from './context';

let shown: { readonly endsAt: number; readonly element: HTMLElement } | undefined;

/** Counts down to when Parley keeps the changes, and lets the user stop that. */
export function keepCountdown(view: KeepCountdownView, context: PartContext) {
  const isHeld = !('endsAt' in view);
  if (!isHeld && shown?.endsAt !== view.endsAt) shown = { endsAt: view.endsAt, element: remainingElement(view.endsAt) };
  const left = isHeld ? formatRemaining(view.remainingMs) : shown!.element;
  return html`<div class="keep-countdown"><span
    class="dim">${filled(isHeld ? l10n.t('Paused, {0} left') : l10n.t('Auto-keep in {0}'), left)}</span>
    <button type="button" class="link" title=${l10n.t('Don’t keep these changes automatically')}
      aria-label=${l10n.t('Stop the countdown')}
      @click=${() => context.post({ type: 'keep/stop' })}>${l10n.t('Stop')}</button></div>`;
}
