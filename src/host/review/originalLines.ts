import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { visibleLine } from '../../base/visibleText';
import type { Hunk, LineRange } from '../../changes/hunk';
import { anchorOf } from '../../changes/places';

/** The most characters of an original line; the hover and the peek view show all of it. */
const MAX_CHARS = 100;
/** The same if the number of further lines follows, which should stay visible. */
const MAX_CHARS_OF_SEVERAL = 50;

/**
 * The original lines of a hunk, struck through after the lines that replace them, because VS Code does not let
 * extensions insert lines. If the agent replaced each line by one, each has its own original; otherwise the first line
 * has a summary.
 * @param near the lines of the document to decorate
 */
export function originalLines(hunk: Hunk, document: vscode.TextDocument, near: LineRange): vscode.DecorationOptions[] {
  const { baselineLines, currentLines, state } = hunk;
  // A conflict would need a third text here.
  if (baselineLines.length === 0 || state === 'conflicted') return [];
  const first = anchorOf(hunk, document.lineCount);
  if (baselineLines.length !== currentLines.length) return [afterLine(document, first, ...summary(baselineLines))];
  const from = Math.max(0, near.start - first);
  const to = Math.min(near.end, document.lineCount) - first;
  return baselineLines.slice(from, Math.max(from, to)).flatMap((line, i) => {
    const text = line.trim();
    // Skips lines that differ only in indentation, and empty ones.
    return text === '' || text === currentLines[from + i]!.trim() ? [] : [afterLine(document, first + from + i, text)];
  });
}

/** The first line that is not empty, and the number of further lines. */
function summary(lines: readonly string[]): [text: string, more: string] {
  const text =
    lines.find((line) => line.trim() !== '')?.trim() ??
    (lines.length === 1 ? l10n.t('empty line') : l10n.t('empty lines'));
  return [
    text,
    lines.length > 1
      ? ` … ${lines.length === 2 ? l10n.t('1 more line') : l10n.t('{0} more lines', lines.length - 1)}`
      : '',
  ];
}

function afterLine(document: vscode.TextDocument, line: number, text: string, more = ''): vscode.DecorationOptions {
  const end = document.lineAt(line).range.end;
  return {
    range: new vscode.Range(end, end),
    renderOptions: {
      after: {
        contentText: visibleLine(text, more === '' ? MAX_CHARS : MAX_CHARS_OF_SEVERAL) + more,
        margin: '0 0 0 2em',
        textDecoration: 'line-through',
        color: new vscode.ThemeColor('descriptionForeground'),
        backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
        // High contrast themes define this colour; in the others there is no border.
        border: '1px solid',
        borderColor: new vscode.ThemeColor('diffEditor.removedTextBorder'),
      },
    },
  };
}
