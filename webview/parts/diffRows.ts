import { visibleCode } from '../../src/base/visibleText';
import type { DiffView, HunkView } from '../../src/protocol/diffView';
import type { WordPlace } from '../markdown/changedWords';
import { canHighlight, changedWords, enqueueHighlight, highlight, whenHighlighter } from '../markdown/highlight';
import { mayBeSnippet, whenLocated } from './snippetLines';

/** Longer hunks are not coloured. */
const MOST_COLOURED = 20_000;
/** By the sign of a line. */
export const KINDS: Readonly<Record<string, string>> = { '+': 'add', '-': 'remove' };

/**
 * The lines of a diff as elements. Words are marked and coloured when there is time, and numbers follow once the
 * position in the file is known.
 * @param room lines to show
 */
export function diffRows(diff: DiffView, room: number): HTMLElement {
  const element = document.createElement('div');
  element.className = 'diff-lines';
  const language = /\.([\w+]+)$/.exec(diff.path)?.[1]?.toLowerCase() ?? '';
  const widest = diff.hunks.reduce(
    (most, hunk) => Math.max(most, hunk.newStart + hunk.lines.length, hunk.oldStart + hunk.lines.length),
    0,
  );
  const numbers: ((offset: number) => void)[] = [];
  let left = room;
  for (const hunk of diff.hunks) {
    if (left <= 0) break;
    if (element.firstChild) element.appendChild(document.createElement('div')).className = 'diff-gap';
    const shown = { ...hunk, lines: hunk.lines.slice(0, left) };
    left -= shown.lines.length;
    const rows = appendRows(element, shown);
    if (hunk.oldStart + hunk.newStart > 0) numbers.push((offset) => number(shown, rows, offset));
    dress(element, shown.lines, rows, language);
  }
  const show = (offset: number | undefined) => {
    if (offset === undefined) return;
    element.classList.add(`digits-${Math.min(7, Math.max(2, String(widest + offset).length))}`);
    for (const each of numbers) each(offset);
  };
  if (mayBeSnippet(diff)) whenLocated(diff, element, show);
  else show(0);
  return element;
}

/** Sets the number as an attribute: an element would be copied with the lines. */
function number(hunk: HunkView, texts: readonly HTMLElement[], offset: number): void {
  let [oldLine, newLine] = [hunk.oldStart + offset, hunk.newStart + offset];
  for (const [i, [sign]] of hunk.lines.entries()) {
    texts[i]!.parentElement!.dataset['line'] = String(sign === '-' ? oldLine : newLine);
    if (sign !== '+') oldLine++;
    if (sign !== '-') newLine++;
  }
}

function appendRows(into: HTMLElement, { lines }: HunkView): HTMLElement[] {
  return lines.map((line) => {
    const row = into.appendChild(document.createElement('div'));
    row.className = `diff-line ${KINDS[line[0]!] ?? ''}`;
    const sign = row.appendChild(document.createElement('span'));
    sign.className = 'sign';
    sign.append(line[0]!);
    const text = row.appendChild(document.createElement('span'));
    text.textContent = visibleCode(line.slice(1));
    row.append('\n');
    return text;
  });
}

/**
 * Colours the lines of a hunk and marks changed words, when there is time and `owner` is still shown.
 * @param lines each with its sign @param rows the elements with their texts @param language a file's extension
 */
export function dress(owner: Element, lines: readonly string[], rows: readonly HTMLElement[], language: string): void {
  whenHighlighter(() =>
    enqueueHighlight(owner, () => {
      if (canHighlight(language) && lines.reduce((size, line) => size + line.length, 0) <= MOST_COLOURED)
        colour(lines, rows, language);
      for (const [i, places] of changedWords(lines)) markWords(rows[i]!, lines[i]!, places);
    }),
  );
}

/** Colours both sides as a whole, because a string or comment may span many lines. */
function colour(lines: readonly string[], rows: readonly HTMLElement[], language: string): void {
  for (const other of ['+', '-']) {
    const side = lines.flatMap((line, i) => (line[0] === other ? [] : [i]));
    const shown = side.map((i) => (rows[i]!.textContent ?? '').replaceAll('\n', ' '));
    const coloured = highlight(shown.join('\n'), language);
    if (!coloured) return;
    const pieces = splitLines(coloured);
    if (pieces.length !== side.length) continue;
    for (const [at, i] of side.entries()) rows[i]!.replaceChildren(pieces[at]!);
  }
}

/** Splits coloured text at its line breaks: an element across several lines is repeated for each. */
function splitLines(source: DocumentFragment): DocumentFragment[] {
  const lines = [document.createDocumentFragment()];
  const add = (node: Node, parents: readonly Element[]) => {
    if (node instanceof Text) {
      for (const [i, shownPart] of node.data.split('\n').entries()) {
        if (i > 0) lines.push(document.createDocumentFragment());
        if (shownPart === '') continue;
        let into: Node = lines.at(-1)!;
        for (const parent of parents) into = into.appendChild(parent.cloneNode(false));
        into.appendChild(document.createTextNode(shownPart));
      }
      return;
    }
    const path = node instanceof Element ? [...parents, node] : parents;
    for (const child of node.childNodes) add(child, path);
  };
  add(source, []);
  return lines;
}

/** Marks words that differ on the other side. Adding the marks to the text itself would shift the positions. */
function markWords(row: HTMLElement, line: string, words: readonly WordPlace[]): void {
  if (row.textContent !== line.slice(1)) return;
  const texts: Text[] = [];
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  let at = 0;
  for (const text of texts) {
    const end = at + text.length;
    // From the end, so that earlier positions stay valid.
    for (const [from, to] of words.toReversed()) {
      if (from >= end || to <= at) continue;
      const start = Math.max(from, at) - at;
      const part = start > 0 ? text.splitText(start) : text;
      if (Math.min(to, end) - at - start < part.length) part.splitText(Math.min(to, end) - at - start);
      const mark = document.createElement('span');
      mark.className = 'diff-word';
      part.replaceWith(mark);
      mark.append(part);
    }
    at = end;
  }
}
