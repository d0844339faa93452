import { html } from '../lib/html';
import { icon } from '../lib/icon';

/**
 * A word, or an icon where the panel is narrow. The second click of a double click does nothing: the actions of another
 * kind may have come to its place. @param title what it does, where the word does not say all of it
 */
export function action(name: string, iconName: string, run: () => void, title = name) {
  return html`<button type="button" class="secondary" title=${title} aria-label=${name} @click=${({ detail }: MouseEvent) => detail > 1 || run()}>${icon(iconName, 'narrow-only')}<span>${name}</span></button>`;
}
