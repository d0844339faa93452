import * as l10n from '@vscode/l10n';
import { visibleProse } from '../src/base/visibleText';
import type { Replica } from '../src/protocol/patch';
import { maxSymbols, symbolParts } from '../src/protocol/symbolName';
import { isMac } from './lib/mac';
import { appendWithPaths, findPaths } from './markdown/pathLinks';
import type { PartContext } from './parts/context';
import { copyWhatIsFar } from './parts/copySelection';
import { PromptHead } from './parts/promptHead';
import type { Thread } from './parts/threadPart';

/**
 * Loads the aids for reading an existing conversation, after the panel.
 * @returns call it after each frame
 */
export function helpReading(
  thread: Thread,
  replica: Replica,
  context: Pick<PartContext, 'panel' | 'post'>,
): () => void {
  const head = new PromptHead(thread, replica, context);
  thread.element.prepend(head.element);
  copyWhatIsFar(thread, replica);
  followSymbols(thread.element, context);
  linkPathsUnderPointer(thread.element);
  return () => head.settle();
}

/**
 * Code in an answer that looks like a symbol's name leads to the symbol: with Ctrl (Cmd on a Mac) and a click, as in
 * the editor, or with F12, which offers the names in view. Until then nothing is looked up, and no word looks like a
 * link.
 */
function followSymbols(thread: HTMLElement, context: Pick<PartContext, 'post'>): void {
  const isHeld = ({ ctrlKey, metaKey }: MouseEvent | KeyboardEvent) => (isMac ? metaKey : ctrlKey);
  const show = (isOn: boolean) => thread.classList.toggle('follows-symbols', isOn);
  thread.addEventListener('pointermove', (event) => show(isHeld(event)), { passive: true });
  for (const type of ['keydown', 'keyup'] as const) window.addEventListener(type, (event) => show(isHeld(event)));
  window.addEventListener('blur', () => show(false));
  thread.addEventListener('pointerover', ({ target }) => {
    const code = codeAt(target);
    if (!code || !symbolParts(code.textContent)) return;
    code.classList.add('symbol');
    code.title = isMac ? l10n.t('Go to Symbol (Cmd+Click)') : l10n.t('Go to Symbol (Ctrl+Click)');
  });
  thread.addEventListener('click', (event) => {
    const name = codeAt(event.target)?.textContent;
    if (!isHeld(event) || name === undefined || !symbolParts(name)) return;
    event.preventDefault();
    context.post({ type: 'symbol/open', names: [name] });
  });
  thread.addEventListener('keydown', (event) => {
    if (event.key !== 'F12' || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const selected = getSelection()?.toString().trim() ?? '';
    context.post({ type: 'symbol/open', names: symbolParts(selected) ? [selected] : namesInView(thread) });
  });
}

/** Inline code that is not a link yet. */
function codeAt(target: EventTarget | null): HTMLElement | undefined {
  const code = target instanceof Element ? target.closest<HTMLElement>('.markdown code') : null;
  return code && !code.closest('pre, a') ? code : undefined;
}

function namesInView(thread: HTMLElement): string[] {
  const view = thread.getBoundingClientRect();
  const names = new Set<string>();
  for (const code of thread.querySelectorAll('.markdown code')) {
    const { top, bottom, height } = code.getBoundingClientRect();
    if (height > 0 && bottom > view.top && top < view.bottom && codeAt(code) && symbolParts(code.textContent))
      names.add(code.textContent);
  }
  return [...names].slice(0, maxSymbols);
}

const PLACES = '.terminal-row, .code-piece:not(.patch-numbers)';

/**
 * Turns paths in output and in code into links, where the pointer is or the focus comes: whether there are such files
 * is not asked for each line of what a command writes.
 */
function linkPathsUnderPointer(root: HTMLElement): void {
  /** How it was when it was looked through: code is drawn anew with its colors. */
  const seen = new WeakMap<Element, string>();
  const look = (place: Element): void => {
    const now = () => `${place.childNodes.length} ${place.textContent?.length ?? 0}`;
    if (seen.get(place) === now() || isSelected(place)) return;
    for (const text of textsIn(place)) linkIn(text);
    seen.set(place, now());
  };
  root.addEventListener('pointerover', ({ target, buttons }) => {
    const place = buttons === 0 && target instanceof Element ? target.closest(PLACES) : null;
    if (place) look(place);
  });
  root.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLPreElement) for (const place of target.querySelectorAll(PLACES)) look(place);
  });
}

/** Links would change the selection. */
function isSelected(place: Element): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(place, true);
}

function textsIn(place: Element): Text[] {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode())
    if (!walker.currentNode.parentElement!.closest('a, [data-mentioned]')) texts.push(walker.currentNode as Text);
  return texts;
}

function linkIn(text: Text): void {
  if (findPaths(text.data).length === 0) return;
  const linked = document.createDocumentFragment();
  appendWithPaths(text.data, linked, (part, into) => into.appendChild(document.createTextNode(visibleProse(part))));
  text.replaceWith(linked);
}
