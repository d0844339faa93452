import * as l10n from '@vscode/l10n';
import type { KeptView } from '../../src/protocol/changeView';
import { numberText } from '../../src/base/numberText';
import { html } from '../lib/html';
import type { PartContext } from './context';

/** The line to undo a Keep. */
export function keptLine({ files }: KeptView, context: PartContext) {
  return html`<div class="strip kept-line" role="status"><span class="label">${files === 1 ? l10n.t('1 file kept') : l10n.t('{0} files kept', numberText(files))}</span>
    <button type="button" class="link" aria-label=${l10n.t('Undo Keep')} @click=${() => context.post({ type: 'keep/undo' })}>${l10n.t('Undo')}</button></div>`;
}
