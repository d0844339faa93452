const letters = String.raw`\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc`;
const rightToLeft = new RegExp(`[${letters}]`);
const word = new RegExp(String.raw`[${letters}]|\p{L}`, 'u');
/** Words in a row that are read from the right as a whole. */
const words = new RegExp(String.raw`[${letters}][${letters}\p{M}]*(?:[ '’-]+[${letters}][${letters}\p{M}]*)*`, 'gu');

/**
 * Sets a paragraph, list or table to right-to-left if it begins in such a language, or has more of its words than of
 * others. Its first word is often an English name. Code does not count.
 */
export function setDirection(element: HTMLElement): void {
  if (!rightToLeft.test(element.textContent)) return;
  let first = 0;
  let sum = 0;
  for (const { data } of textsOf(element)) {
    if (data.trim() === '') continue;
    for (const part of data.split(/\s+/)) {
      const letter = word.exec(part)?.[0];
      if (letter === undefined) continue;
      const sign = rightToLeft.test(letter) ? 1 : -1;
      first ||= sign;
      sum += sign;
    }
  }
  if (first > 0 || sum > 0) element.dir = 'rtl';
}

/** Isolates right-to-left words, so that they do not reorder the code around them. */
export function isolateWords(code: Element): void {
  if (!rightToLeft.test(code.textContent ?? '')) return;
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode())
    if (walker.currentNode.parentElement?.tagName !== 'BDI') texts.push(walker.currentNode as Text);
  for (const text of texts) {
    // The last one first, so that the earlier positions stay valid.
    for (const { 0: found, index } of [...text.data.matchAll(words)].reverse()) {
      const rest = text.splitText(index);
      rest.splitText(found.length);
      const isolated = document.createElement('bdi');
      rest.replaceWith(isolated);
      isolated.append(rest);
    }
  }
}

function* textsOf(element: HTMLElement): Iterable<Text> {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element
      ? node.matches('code, pre, .math')
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_SKIP
      : NodeFilter.FILTER_ACCEPT,
  );
  while (walker.nextNode()) yield walker.currentNode as Text;
}
