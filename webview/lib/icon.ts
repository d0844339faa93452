import type { TemplateResult } from 'lit-html';
import { html } from './html';

/** A codicon that says nothing to assistive technology: the text beside it does. */
export function icon(name: string, extra = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${extra}" aria-hidden="true"></span>`;
}

/** The icon of what still runs. */
export function spinner(): TemplateResult {
  return icon('loading', 'codicon-modifier-spin');
}
