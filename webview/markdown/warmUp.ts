import { highlight } from './highlight';
import { renderBlock } from './render';

/**
 * Parses, lays out and colours a little text while nothing happens, so that grammars are compiled and fonts are found
 * before the first answer streams in. Each step is short and waits for an idle moment.
 */
export function warmUp(): void {
  const steps = [
    () => layOut(renderBlock({ raw: SAMPLE }, { links: {}, breaks: false })),
    ...['typescript', 'bash', 'json', 'python', 'diff'].map((language) => () => highlight('const a = "b"; // c\n', language)),
  ];
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
