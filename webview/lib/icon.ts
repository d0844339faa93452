import type { TemplateResult } from 'lit-html';
import { html } from './html';

/** A codicon that is hidden from assistive technology: the text next to it is enough. */
export function icon(name: string, extra = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${extra}" aria-hidden="true"></span>`;
}

/** The icon of a running activity. */
export function spinner(): TemplateResult {
  return icon('loading', 'codicon-modifier-spin');
}
