import * as l10n from '@vscode/l10n';
import type { PanelView } from '../../src/protocol/viewModel';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';

/** Replaces the message box if the session was read from a file. */
export function importedBar(
  { agent }: PanelView,
  { exportedAt }: NonNullable<PanelView['imported']>,
  context: PartContext,
) {
  const day = new Date(exportedAt).toLocaleDateString();
  const words =
    agent === ''
      ? l10n.t('Read-only session, exported {0}', day)
      : l10n.t('Read-only session with {0}, exported {1}', agent, day);
  return html`<div class="strip imported-strip" role="group" aria-label=${l10n.t('Imported session')}>
    <div class="strip-line">
      ${icon('archive')}<span class="label" title=${words}>${words}</span>
      <span class="end actions"><button type="button" class="secondary" @click=${() => context.post({ type: 'session/new' })}>${l10n.t('New Session')}</button></span>
    </div>
  </div>`;
}
