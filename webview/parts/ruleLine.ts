import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { ToolCallView } from '../../src/protocol/toolCallView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';

/** Below a call that a rule answered: the rule, and the button to switch it off. */
export function ruleLine(view: ToolCallView, context: PartContext) {
  if (view.decidedBy === undefined) return nothing;
  if (view.isQuoted) return html`<div class="rule-line quoted"><span class="words">${view.decidedBy}</span></div>`;
  return html`<div class="rule-line">${icon('law')}<span class="words">${view.decidedBy} <button
      type="button" class="text-button"
      @click=${() =>
        context.post({
          type: 'permission/disableRule',
          entryId: view.id,
        })}>${l10n.t('Disable rule')}</button></span></div>`;
}
