import { highlight, loadHighlighter } from './highlight';
import { MarkdownView } from './markdownView';

/**
 * Parses and lays out a little text while nothing happens, and colours some once the user turns to the panel, so that
 * fonts are found and grammars are compiled before the first answer streams in.
 */
export function warmUp(): void {
  whenIdle([() => show(SAMPLE.length), () => show(60), () => show(25)]);
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

/** Streams the sample, out of sight. The first layout in each font takes long, and so does all code that runs for the first time. */
function show(pieceLength: number): void {
  const view = new MarkdownView();
  view.element.classList.add('visually-hidden');
  view.element.setAttribute('aria-hidden', 'true');
  document.body.appendChild(view.element);
  for (let at = 0; at < SAMPLE.length; at += pieceLength) {
    view.append(SAMPLE.slice(at, at + pieceLength));
    view.draw(() => true);
  }
  // Before it is finished: then the browser may skip it.
  view.element.getBoundingClientRect();
  view.finish();
  view.draw(() => true);
  view.element.remove();
}

const SAMPLE = '# a\n\nb *c* **d** `e` [f](https://g.h) https://i.j <kbd>k</kbd>\n\n- l\n- [x] m\n\n1. n\n\n> o\n\n| p | q |\n|---|---|\n| r | s |\n\n```\nt → ✓ “u”\n```\n\nv\n';
