import type { KeepCountdownView } from '../../src/protocol/changeView';
import { formatRemaining } from '../lib/format';
import { html } from '../lib/html';
import { remainingElement } from '../lib/ticker';
import type { PartContext } from './context';

let shown: { readonly endsAt: number; readonly element: HTMLElement } | undefined;

/** Says that the changes are kept by and by, and lets the person stop that. */
export function keepCountdown(view: KeepCountdownView, context: PartContext) {
  const isHeld = !('endsAt' in view);
  if (!isHeld && shown?.endsAt !== view.endsAt) shown = { endsAt: view.endsAt, element: remainingElement(view.endsAt) };
  const left = isHeld ? formatRemaining(view.remainingMs) : shown!.element;
  return html`<div class="keep-countdown"><span class="dim">${isHeld ? 'Paused, kept in ' : 'Kept in '}${left}</span>
    <button type="button" class="link" title="Decide on these changes yourself" aria-label="Stop the countdown" @click=${() => context.post({ type: 'keep/stop' })}>Stop</button></div>`;
}
