/** The text of an element as it is drawn, and where each piece of it is. */
export interface DrawnText {
  readonly text: string;
  readonly pieces: readonly { readonly start: number; readonly node: Text }[];
}

const BLOCKS = [
  'p',
  'li',
  'div',
  'pre',
  'td',
  'th',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'button',
  'summary',
  'blockquote',
  'dt',
  'dd',
  'label',
].join();

/** Reads the text of an element; what is in different blocks, or after a break, is on different lines. */
export function drawnText(element: Element): DrawnText {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  const pieces: { start: number; node: Text }[] = [];
  let text = '';
  let block: Element | null = null;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!(node instanceof Text)) {
      if (node.nodeName === 'BR' && !text.endsWith('\n')) text += '\n';
      continue;
    }
    const parent = node.parentElement;
    // Options of a list that is closed have no place.
    if (node.data === '' || !parent || parent.closest('.visually-hidden, select')) continue;
    const own = parent.closest(BLOCKS);
    if (block !== null && own !== block && !text.endsWith('\n')) text += '\n';
    block = own;
    pieces.push({ start: text.length, node });
    text += node.data;
  }
  return { text, pieces };
}

/** The range of a match. @returns `undefined` where the element was drawn anew since */
export function rangeOf({ pieces }: DrawnText, [start, end]: readonly [number, number]): Range | undefined {
  const first = pieceAt(pieces, start);
  const last = pieceAt(pieces, end - 1);
  if (!first?.node.isConnected || !last?.node.isConnected) return undefined;
  const [from, to] = [start - first.start, end - last.start];
  if (from > first.node.length || to > last.node.length) return undefined;
  const range = document.createRange();
  range.setStart(first.node, from);
  range.setEnd(last.node, to);
  return range;
}

/** By halves: the last piece that begins at or before a place. */
function pieceAt(pieces: DrawnText['pieces'], at: number): DrawnText['pieces'][number] | undefined {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle]!.start <= at) low = middle + 1;
    else high = middle;
  }
  return pieces[low - 1];
}
