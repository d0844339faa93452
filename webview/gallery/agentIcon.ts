import { tintOf } from '../../src/base/nameTint';
import { visibleLine } from '../../src/base/visibleText';

/**
 * Creates each icon once: it stays when its row is drawn again. An element has only one place, so each list has its
 * own.
 */
export class AgentIcons {
  readonly #made = new Map<string, HTMLElement>();

  /** @param svg base64 */
  of(key: string, name: string, svg?: string): HTMLElement {
    const known = `${key} ${svg ?? name}`;
    const element = this.#made.get(known) ?? agentIcon(name, svg);
    this.#made.set(known, element);
    return element;
  }
}

/**
 * The icon of an agent: the picture of the index, or the first letter of its name. An image runs no script and loads
 * nothing. A picture in the colour of the text is drawn as a mask, so that it has the theme's colour.
 */
function agentIcon(name: string, svg: string | undefined): HTMLElement {
  return svg !== undefined && /^[A-Za-z0-9+/]+=*$/.test(svg) ? picture(svg) : letter(name);
}

function picture(svg: string): HTMLElement {
  const address = `data:image/svg+xml;base64,${svg}`;
  if (atob(svg).includes('currentColor')) {
    const mask = document.createElement('span');
    mask.className = 'agent-icon mask';
    mask.style.setProperty('mask-image', `url("${address}")`);
    mask.setAttribute('aria-hidden', 'true');
    return mask;
  }
  const image = document.createElement('img');
  image.className = 'agent-icon';
  image.alt = '';
  image.src = address;
  return image;
}

function letter(name: string): HTMLElement {
  const element = document.createElement('span');
  element.className = `agent-icon letter tint-${tintOf(name)}`;
  element.setAttribute('aria-hidden', 'true');
  element.textContent = visibleLine([...name.trim()][0]?.toUpperCase() ?? '', 8);
  return element;
}
