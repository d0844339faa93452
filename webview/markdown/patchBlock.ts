import { pairedLines } from '../../src/base/pairedLines';
import type { HunkView, WordPlace } from '../../src/protocol/diffView';
import { colour, KINDS, markWords } from '../parts/diffRows';
import { canHighlight, whenHighlighter } from './highlight';
import { enqueueHighlight } from './highlightQueue';

/** A hunk while it is read. `at`: the next line of each side; undefined where the patch has no numbers. */
interface OpenHunk {
  readonly at: { old: number; new: number } | undefined;
  /** Lines of both sides that are still to come, where the patch tells. */
  oldLeft: number;
  newLeft: number;
  readonly lines: string[];
  readonly texts: HTMLElement[];
}

/** Draws the lines of a patch in the pieces of its code: with numbers, the words that differ, and the colours of its language. */
export function drawPatch(code: HTMLElement): void {
  let hunk: OpenHunk | undefined;
  let language = '';
  let widest = 0;
  const close = () => {
    if (hunk) finish(hunk, language);
    hunk = undefined;
  };
  for (const piece of code.querySelectorAll<HTMLElement>('.code-piece')) {
    delete piece.dataset['numbers'];
    piece.classList.add('patch-numbers');
    const lines = (piece.textContent ?? '').split('\n');
    piece.replaceChildren(
      ...lines.flatMap((line, i) => {
        const isLast = i === lines.length - 1;
        if (isLast && line === '') return [];
        if (isHead(line, hunk)) {
          close();
          language = languageIn(line) ?? language;
          hunk = hunkIn(line);
          return rowOf(line.startsWith('@@') ? 'gap' : 'head', [line], isLast);
        }
        // `*** Begin Patch` needs no `@@`.
        hunk ??= { at: undefined, oldLeft: 0, newLeft: 0, lines: [], texts: [] };
        const [row, number] = contentRow(line, hunk, isLast);
        widest = Math.max(widest, number);
        return row;
      }),
    );
  }
  close();
  const digits = Math.min(7, Math.max(2, String(widest).length));
  for (const piece of code.children) piece.classList.add(`digits-${digits}`);
}

/** What looks like a heading is a line of a hunk as long as that is not complete. */
function isHead(line: string, hunk: OpenHunk | undefined): boolean {
  if (hunk && hunk.oldLeft + hunk.newLeft > 0) return false;
  return /^(?:\+\+\+ |--- |diff |index |(?:new|deleted) file mode |similarity index |rename |\*\*\* |@@)/.test(line);
}

function hunkIn(line: string): OpenHunk | undefined {
  const [, oldStart, oldLines = '1', newStart, newLines = '1'] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
  return oldStart === undefined ? undefined : { at: { old: Number(oldStart), new: Number(newStart) }, oldLeft: Number(oldLines), newLeft: Number(newLines), lines: [], texts: [] };
}

/** By the ending of the file that a heading names. */
function languageIn(line: string): string | undefined {
  return /^(?:\+\+\+ |--- |\*\*\* (?:Add|Update|Delete) File: ).*\.([\w+]+)\s*$/.exec(line)?.[1]?.toLowerCase();
}

function contentRow(line: string, hunk: OpenHunk, isLast: boolean): [row: HTMLElement, number: number] {
  const sign = line[0] ?? ' ';
  const text = document.createElement('span');
  text.append(line.slice(1));
  const mark = document.createElement('span');
  mark.className = 'sign';
  mark.append(line.slice(0, 1));
  const row = rowOf(KINDS[sign] ?? '', [mark, text], isLast);
  hunk.lines.push(line === '' ? ' ' : line);
  hunk.texts.push(text);
  if (!hunk.at) return [row, 0];
  const number = sign === '-' ? hunk.at.old : hunk.at.new;
  row.dataset['line'] = String(number);
  if (sign !== '+') {
    hunk.at.old++;
    hunk.oldLeft--;
  }
  if (sign !== '-') {
    hunk.at.new++;
    hunk.newLeft--;
  }
  return [row, number];
}

function rowOf(kind: string, content: readonly (string | Node)[], isLast: boolean): HTMLElement {
  const row = document.createElement('span');
  row.className = `patch-line ${kind}`;
  row.append(...content, isLast ? '' : '\n');
  return row;
}

function finish({ lines, texts }: OpenHunk, language: string): void {
  const hunk: HunkView = { oldStart: 0, newStart: 0, lines, words: changedWords(lines) };
  for (const [i, text] of texts.entries()) markWords(text, lines[i]!, hunk.words?.[i]);
  const [first] = texts;
  if (!first || language === '') return;
  whenHighlighter(() => {
    if (canHighlight(language)) enqueueHighlight(first, () => colour(hunk, texts, language));
  });
}

/** Where lines that stand for each other differ, by index of the line. The host's own diffs say it more exactly, with a library. */
function changedWords(lines: readonly string[]): Record<number, readonly WordPlace[]> {
  const words: Record<number, readonly WordPlace[]> = {};
  for (const [removed, added] of pairedLines(lines)) {
    const [before, after] = [lines[removed]!.slice(1), lines[added]!.slice(1)];
    const [start, end] = [commonStart(before, after), commonEnd(before, after)];
    // Of lines that share little, all is another.
    if (start + end < Math.max(before.length, after.length) * 0.3) continue;
    if (before.length > start + end) words[removed] = [[start, before.length - end]];
    if (after.length > start + end) words[added] = [[start, after.length - end]];
  }
  return words;
}

/** Characters that both begin with, up to the beginning of a word. */
function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  while (at > 0 && isWord(a[at - 1]) && (isWord(a[at]) || isWord(b[at]))) at--;
  return at;
}

/** The same from the end, without what both begin with. */
function commonEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length) - commonStart(a, b);
  let count = 0;
  while (count < most && a.at(-1 - count) === b.at(-1 - count)) count++;
  while (count > 0 && isWord(a.at(-count)) && (isWord(a.at(-1 - count)) || isWord(b.at(-1 - count)))) count--;
  return count;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}
