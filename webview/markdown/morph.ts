import { isSameMath } from './math';

/**
 * Makes `target`'s children equal to `source`'s and touches only the differences, so that a selection in an unchanged
 * part of a growing paragraph stays. Moves nodes out of `source`.
 */
export function morph(target: Node, source: Node): void {
  let old = target.firstChild;
  let fresh = source.firstChild;
  while (fresh) {
    const next = fresh.nextSibling;
    if (!old) {
      target.appendChild(fresh);
    } else {
      const after = old.nextSibling;
      if (!old.isEqualNode(fresh)) morphNode(target, old, fresh);
      old = after;
    }
    fresh = next;
  }
  while (old) {
    const after = old.nextSibling;
    target.removeChild(old);
    old = after;
  }
}

function morphNode(parent: Node, old: ChildNode, fresh: ChildNode): void {
  if (old.nodeType === Node.TEXT_NODE && fresh.nodeType === Node.TEXT_NODE) {
    const text = (fresh as Text).data;
    const shown = (old as Text).data;
    // Appending keeps a selection in the text; replacing would collapse it.
    if (text.startsWith(shown)) (old as Text).appendData(text.slice(shown.length));
    else (old as Text).data = text;
  } else if (old instanceof Element && fresh instanceof Element && isSameMath(old, fresh)) {
    // One of both is drawn, the other will be.
    return;
  } else if (isCode(old) && isCode(fresh)) {
    // Equal code may already be coloured or drawn; changed code is replaced and coloured again as a whole.
    if (codeOf(old) !== codeOf(fresh) || !sameAttributes(old, fresh)) parent.replaceChild(fresh, old);
  } else if (
    old.nodeType === Node.ELEMENT_NODE &&
    old.nodeName === fresh.nodeName &&
    sameAttributes(old as Element, fresh as Element)
  ) {
    morph(old, fresh);
  } else {
    parent.replaceChild(fresh, old);
  }
}

function isCode(node: Node): node is HTMLElement {
  return node instanceof HTMLElement && node.classList.contains('code-block');
}

function codeOf(block: HTMLElement): string {
  return block.querySelector('code')?.textContent ?? '';
}

function sameAttributes(a: Element, b: Element): boolean {
  if (a.attributes.length !== b.attributes.length) return false;
  for (const attribute of a.attributes) {
    if (b.getAttribute(attribute.name) !== attribute.value) return false;
  }
  return true;
}
