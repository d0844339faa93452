import { visibleLine } from '../../src/base/visibleText';
import { enqueueHighlight } from './highlight';

type Renderer = typeof import('./mathRenderer');

let renderer: Renderer | undefined;
let loading: Promise<void> | undefined;

/** Recently drawn formulas; undefined for invalid ones. A streaming message shows them again and again. */
const drawn = new Map<string, Element | undefined>();
const MOST_DRAWN = 300;
/** Characters of a formula that fits into a line. */
const SHORT = 60;
/** A longer formula stays text. */
const LIMIT = 4_000;

/** A formula. It shows its source until it has been drawn, and if it has an error. */
export function mathElement(tex: string, display: boolean): HTMLElement {
  const element = document.createElement('span');
  const isLong = display || tex.length > SHORT;
  element.className = `math ${display ? 'display' : isLong ? 'long' : ''} ${isLong ? 'fade-x' : ''}`;
  element.dataset['tex'] = tex;
  // If it is wider than the panel, the keyboard can scroll it.
  if (isLong) {
    element.tabIndex = 0;
    element.setAttribute('role', 'group');
  }
  const source = element.appendChild(document.createElement('code'));
  source.textContent = visibleLine(tex);
  if (tex.length > LIMIT) return element;
  const key = keyOf(tex, display);
  if (drawn.has(key)) show(element, drawn.get(key));
  else {
    element.classList.add('waiting');
    whenRenderer((known) => enqueueHighlight(element, () => show(element, draw(known, tex, display))));
  }
  return element;
}

/** True if two elements show the same formula, drawn or not. */
export function isSameMath(a: Element, b: Element): boolean {
  const texOf = (element: Element) =>
    element instanceof HTMLElement && element.classList.contains('math') ? element.dataset['tex'] : undefined;
  return (
    texOf(a) !== undefined &&
    texOf(a) === texOf(b) &&
    a.classList.contains('display') === b.classList.contains('display')
  );
}

function show(element: HTMLElement, formula: Element | undefined): void {
  element.classList.remove('waiting');
  if (formula) element.replaceChildren(formula.cloneNode(true));
}

function draw(known: Renderer, tex: string, display: boolean): Element | undefined {
  const key = keyOf(tex, display);
  if (!drawn.has(key)) {
    if (drawn.size >= MOST_DRAWN) drawn.delete(drawn.keys().next().value!);
    drawn.set(key, known.drawMath(tex, display));
  }
  return drawn.get(key);
}

function keyOf(tex: string, display: boolean): string {
  return `${display ? 'd' : 'i'}${tex}`;
}

function whenRenderer(use: (known: Renderer) => void): void {
  if (renderer) return use(renderer);
  loading ??= import('./mathRenderer').then((module) => {
    renderer = module;
  }, reportError);
  void loading.then(() => renderer && use(renderer));
}
