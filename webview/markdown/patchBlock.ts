import { HunkLines } from '../../src/base/hunkLines';
import { dress, KINDS } from '../parts/diffRows';

/** A hunk during reading. */
interface OpenHunk {
  /** Undefined if the patch has no numbers. */
  readonly numbers: HunkLines | undefined;
  readonly lines: string[];
  readonly texts: HTMLElement[];
}

/**
 * Draws the lines of a patch in the pieces of its code: with numbers, changed words, and the colours of its language.
 */
export function drawPatch(code: HTMLElement): void {
  let hunk: OpenHunk | undefined;
  let language = '';
  let isEnvelope = false;
  let widest = 0;
  const close = () => {
    if (hunk?.texts[0]) dress(hunk.texts[0], hunk.lines, hunk.texts, language);
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
        if (isHead(line, hunk, isEnvelope)) {
          if (/^\*\*\* (?:Begin|End) Patch/.test(line)) isEnvelope = line.startsWith('*** B');
          close();
          language = languageIn(line) ?? language;
          hunk = hunkIn(line);
          return headRow(line, isLast);
        }
        // `*** Begin Patch` needs no `@@`.
        hunk ??= { numbers: undefined, lines: [], texts: [] };
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

/**
 * A line that looks like a heading belongs to the hunk until that is complete, unless a patch has its own headings
 * (`*** Begin Patch`).
 */
function isHead(line: string, hunk: OpenHunk | undefined, isEnvelope: boolean): boolean {
  if (isEnvelope) return /^(?:\*\*\* |@@)/.test(line);
  if (hunk?.numbers?.isOpen) return false;
  return /^(?:\+\+\+ |--- |diff |index |(?:new|deleted) file mode |similarity index |rename |\*\*\* |@@)/.test(line);
}

function hunkIn(line: string): OpenHunk | undefined {
  const numbers = new HunkLines();
  return numbers.begin(line) ? { numbers, lines: [], texts: [] } : undefined;
}

/** The language, by the extension of the file in a heading. */
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
  // `\ No newline at end of file` belongs to no file.
  if (hunk.numbers && sign === '\\') return [row, 0];
  hunk.lines.push(line === '' ? ' ' : line);
  hunk.texts.push(text);
  if (!hunk.numbers) return [row, 0];
  const { next } = hunk.numbers;
  const number = sign === '-' ? next.old : next.new;
  row.dataset['line'] = String(number);
  hunk.numbers.take(line);
  return [row, number];
}

/** Hides only the line numbers of a `@@` line. The rest of it is the agent's text. */
function headRow(line: string, isLast: boolean): HTMLElement {
  const [range] = /^@@ -\d{1,10}(?:,\d{1,10})? \+\d{1,10}(?:,\d{1,10})? @@/.exec(line) ?? [];
  if (range === undefined) return rowOf('head', [line], isLast);
  if (range === line.trimEnd()) return rowOf('gap', [line], isLast);
  const numbers = document.createElement('span');
  numbers.className = 'range';
  numbers.append(range);
  return rowOf('head', [numbers, line.slice(range.length)], isLast);
}

function rowOf(kind: string, content: readonly (string | Node)[], isLast: boolean): HTMLElement {
  const row = document.createElement('span');
  row.className = `patch-line ${kind}`;
  row.append(...content, isLast ? '' : '\n');
  return row;
}
