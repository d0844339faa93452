/** The drawn text of an element, and the node of each piece. */
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

/** Reads the text of an element; different blocks, and texts after a break, are on different lines. */
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
    // Options of a closed list have no position.
    if (node.data === '' || !parent || parent.closest('.visually-hidden, select')) continue;
    const own = parent.closest(BLOCKS);
    if (block !== null && own !== block && !text.endsWith('\n')) text += '\n';
    block = own;
    pieces.push({ start: text.length, node });
    text += node.data;
  }
  return { text, pieces };
}

/** The range of a match. @returns `undefined` if the element was drawn anew since */
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

/** Binary search for the last piece that begins at or before a position. */
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
