import { html } from '../lib/html';
import { icon } from '../lib/icon';

/**
 * A word, or an icon if the panel is narrow. Ignores the second click of a double click: another kind's actions may
 * have moved there. @param title the effect, if the word does not fully describe it
 */
export function action(name: string, iconName: string, run: () => void, title = name) {
  return html`<button type="button" class="secondary" title=${title} aria-label=${name}
    @click=${({ detail }: MouseEvent) =>
      detail > 1 || run()}>${icon(iconName, 'narrow-only')}<span>${name}</span></button>`;
}
