import { html } from '../lib/html';
import { icon } from '../lib/icon';

/** A word, or an icon where the panel is narrow. */
export function action(name: string, iconName: string, run: () => void) {
  return html`<button type="button" class="secondary" title=${name} aria-label=${name} @click=${run}>${icon(iconName, 'narrow-only')}<span>${name}</span></button>`;
}
