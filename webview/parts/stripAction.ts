import { html } from '../lib/html';
import { icon } from '../lib/icon';

/** A word, or an icon where the panel is narrow. @param title what it does, where the word does not say all of it */
export function action(name: string, iconName: string, run: () => void, title = name) {
  return html`<button type="button" class="secondary" title=${title} aria-label=${name} @click=${run}>${icon(iconName, 'narrow-only')}<span>${name}</span></button>`;
}
