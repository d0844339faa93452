import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { StorageTroubleView } from '../../src/protocol/storageTroubleView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';

/** Data that currently cannot be saved, and why. It cannot be dismissed: it disappears when everything is saved. */
export function storageStrip(trouble: StorageTroubleView | undefined, context: PartContext) {
  if (!trouble) return nothing;
  return html`<div class="strip notice-strip strip-error open storage-strip" role="group" aria-label=${trouble.title}>
    <div class="strip-line"><span class="head-button">${icon('error')}<span class="label">${trouble.title}</span></span></div>
    <p class="notice-text">${trouble.detail}</p>
    <div class="buttons"><button type="button" class="secondary" @click=${() => context.post({ type: 'storage/retry' })}>${l10n.t('Try Again')}</button></div>
  </div>`;
}
