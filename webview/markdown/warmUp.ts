import { highlight, loadHighlighter } from './highlight';
import { renderBlock } from './render';

/**
 * Parses and lays out a little text while nothing happens, and colours some once the person turns to the panel, so that
 * fonts are found and grammars are compiled before the first answer streams in.
 */
export function warmUp(): void {
  whenIdle([() => layOut(renderBlock({ raw: SAMPLE }, { links: {}, breaks: false }))]);
  if (document.hasFocus()) warmUpColours();
  else window.addEventListener('focus', warmUpColours, { once: true });
}

function warmUpColours(): void {
  const languages = ['typescript', 'bash', 'json', 'python', 'diff'];
  whenIdle([() => void loadHighlighter().then(() => whenIdle(languages.map((language) => () => highlight('const a = "b"; // c\n', language))))]);
}

/** Runs one step in each idle moment. */
function whenIdle(steps: (() => void)[]): void {
  const next = () => {
    steps.shift()?.();
    if (steps.length > 0) requestIdleCallback(next, { timeout: 2000 });
  };
  requestIdleCallback(next, { timeout: 2000 });
}

/** Finds the fonts: the first layout in each of them takes long. */
function layOut(content: Node): void {
  const element = document.createElement('div');
  element.className = 'markdown visually-hidden';
  element.setAttribute('aria-hidden', 'true');
  element.appendChild(content);
  document.body.appendChild(element);
  element.getBoundingClientRect();
  element.remove();
}

const SAMPLE = '# a\n\nb *c* **d** `e` [f](https://g.h) https://i.j <kbd>k</kbd>\n\n- l\n- [x] m\n\n1. n\n\n> o\n\n| p | q |\n|---|---|\n| r | s |\n\n    t → ✓ “u”\n';
