import type { HunkView } from '../src/protocol/diffView';
import type { ToolCallView } from '../src/protocol/toolCallView';
import { highlight, loadHighlighter } from './markdown/highlight';
import { MarkdownView } from './markdown/markdownView';
import type { PartContext } from './parts/context';
import { createEntryPart } from './parts/entryPart';

/**
 * Draws a little text and an edit in idle moments, and colours some once the user turns to the panel, so that code is
 * compiled, fonts are found and grammars are loaded before the first answer streams in.
 */
export function warmUp(context: PartContext): void {
  whenIdle([
    () => showText(SAMPLE.length),
    () => showText(60),
    () => showText(25),
    ...Array.from({ length: 4 }, () => () => showCall(context)),
  ]);
  if (document.hasFocus()) warmUpColours();
  else window.addEventListener('focus', warmUpColours, { once: true });
}

function warmUpColours(): void {
  const languages = ['typescript', 'bash', 'json', 'python', 'diff'];
  whenIdle([
    () =>
      void loadHighlighter().then(() =>
        whenIdle(languages.map((language) => () => highlight('const a = "b"; // c\n', language))),
      ),
  ]);
}

/** Runs one step in each idle moment. */
function whenIdle(steps: (() => void)[]): void {
  const next = () => {
    steps.shift()?.();
    if (steps.length > 0) requestIdleCallback(next, { timeout: 2000 });
  };
  requestIdleCallback(next, { timeout: 2000 });
}

/**
 * Streams the sample, out of sight. The first layout in each font takes long, and so does the first run of any code.
 */
function showText(pieceLength: number): void {
  const view = new MarkdownView();
  hide(view.element);
  for (let at = 0; at < SAMPLE.length; at += pieceLength) {
    view.append(SAMPLE.slice(at, at + pieceLength));
    view.draw(() => true);
  }
  // Before it is finished: afterwards the browser may skip it.
  view.element.getBoundingClientRect();
  view.finish();
  view.draw(() => true);
  view.element.remove();
}

/** Draws a finished edit. */
function showCall(context: PartContext): void {
  const part = createEntryPart('toolCall', context);
  hide(part.element);
  part.update({ ...CALL, status: 'running' });
  part.update({
    ...CALL,
    status: 'completed',
    content: [
      { type: 'diff', path: '', label: '', isNew: false, added: 1, removed: 1, hunks: [HUNK], truncated: false },
    ],
  });
  part.element.getBoundingClientRect();
  part.element.remove();
}

function hide(element: HTMLElement): void {
  element.classList.add('visually-hidden');
  element.setAttribute('aria-hidden', 'true');
  document.body.appendChild(element);
}

const HUNK: HunkView = { oldStart: 2, newStart: 2, lines: [' a', '-a = 1', '+b = 1'] };

const CALL: Omit<ToolCallView, 'status'> = {
  kind: 'toolCall',
  id: 'warm-up',
  title: 'a',
  toolKind: 'edit',
  locations: [],
  content: [],
  permissions: [],
  startedAt: 0,
};

const SAMPLE =
  '# a\n\nb *c* **d** `e` [f](https://g.h) https://i.j <kbd>k</kbd>\n\n- l\n- [x] m\n\n1. n\n\n> o\n\n' +
  '| p | q |\n|---|---|\n| r | s |\n\n```\nt → ✓ “u”\n```\n\nv\n';
