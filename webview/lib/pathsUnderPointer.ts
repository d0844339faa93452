import { visibleProse } from '../../src/base/visibleText';
import { appendWithPaths } from '../markdown/pathLinks';
import { findPaths } from '../markdown/paths';

const PLACES = '.terminal-row, .code-piece:not(.patch-numbers)';

/**
 * Turns paths in output and in code into links, where the pointer is or the focus comes: whether there are such files
 * is not asked for each line of what a command writes.
 */
export function linkPathsUnderPointer(root: HTMLElement): void {
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

/** What is selected would not be any more. */
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
