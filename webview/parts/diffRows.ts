import { visibleCode } from '../../src/base/visibleText';
import type { DiffLineView, DiffView, HunkView } from '../../src/protocol/diffView';
import { canHighlight, highlight, whenHighlighter } from '../markdown/highlight';
import { enqueueHighlight } from '../markdown/highlightQueue';
import { mayBeSnippet, whenLocated } from './snippetLines';

/** Longer hunks keep the colours of the theme's text. */
const MOST_COLOURED = 20_000;
const SIGNS = { context: ' ', add: '+', remove: '-' } as const;

/**
 * The lines of a diff, as elements: they are marked at once, coloured when there is time, and
 * numbered once it is known where they stand.
 * @param room lines to show
 */
export function diffRows(diff: DiffView, room: number): HTMLElement {
  const element = document.createElement('div');
  element.className = 'diff-lines';
  const language = /\.([\w+]+)$/.exec(diff.path)?.[1]?.toLowerCase() ?? '';
  const widest = diff.hunks.reduce((most, hunk) => Math.max(most, hunk.newStart + hunk.lines.length, hunk.oldStart + hunk.lines.length), 0);
  const numbers: ((offset: number) => void)[] = [];
  let left = room;
  for (const hunk of diff.hunks) {
    if (left <= 0) break;
    if (element.firstChild) element.appendChild(document.createElement('div')).className = 'diff-gap';
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    const rows = appendRows(element, lines);
    if (hunk.oldStart > 0 || hunk.newStart > 0) numbers.push((offset) => number(hunk, lines, rows, offset));
    if (language === '' || lines.reduce((size, line) => size + line.text.length, 0) > MOST_COLOURED) continue;
    whenHighlighter(() => {
      if (canHighlight(language)) enqueueHighlight(element, () => colour(lines, rows, language));
    });
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

/** An element with the number would be copied with the lines. */
function number(hunk: HunkView, lines: readonly DiffLineView[], texts: readonly HTMLElement[], offset: number): void {
  let [oldLine, newLine] = [hunk.oldStart + offset, hunk.newStart + offset];
  for (const [i, { kind }] of lines.entries()) {
    texts[i]!.parentElement!.dataset['line'] = String(kind === 'remove' ? oldLine : newLine);
    if (kind !== 'add') oldLine++;
    if (kind !== 'remove') newLine++;
  }
}

function appendRows(into: HTMLElement, lines: readonly DiffLineView[]): HTMLElement[] {
  return lines.map((line) => {
    const row = into.appendChild(document.createElement('div'));
    row.className = `diff-line ${line.kind}`;
    const sign = row.appendChild(document.createElement('span'));
    sign.className = 'sign';
    sign.append(SIGNS[line.kind]);
    const text = row.appendChild(document.createElement('span'));
    text.textContent = visibleCode(line.text);
    markWords(text, line);
    row.append('\n');
    return text;
  });
}

/** Both sides are coloured as a whole, because a string or comment may run over many lines. */
function colour(lines: readonly DiffLineView[], rows: readonly HTMLElement[], language: string): void {
  for (const other of ['remove', 'add'] as const) {
    const side = lines.flatMap((line, i) => (line.kind === other || line.kind === 'context' ? [i] : []));
    const shown = side.map((i) => visibleCode(lines[i]!.text).replaceAll('\n', ' '));
    const coloured = highlight(shown.join('\n'), language);
    if (!coloured) return;
    const pieces = splitLines(coloured);
    if (pieces.length !== side.length) continue;
    for (const [at, i] of side.entries()) {
      rows[i]!.replaceChildren(pieces[at]!);
      markWords(rows[i]!, lines[i]!);
    }
  }
}

/** Cuts coloured text at its line breaks: an element that runs over many lines is there once for each. */
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

/** Marks what differs from the line on the other side. Marks that were added to the text would move the places. */
function markWords(row: HTMLElement, line: DiffLineView): void {
  if (!line.words || row.textContent !== line.text) return;
  const texts: Text[] = [];
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  let at = 0;
  for (const text of texts) {
    const end = at + text.length;
    // From the end, so that the places before stay.
    for (const [from, to] of line.words.toReversed()) {
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
