import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { visibleLine } from '../../base/visibleText';
import type { Hunk, LineRange } from '../../changes/hunk';
import { anchorOf } from '../../changes/places';

/** Characters of an original line at most; the hover and the peek have all of it. */
const MAX_CHARS = 100;
/** The same where the number of the others follows, which should be in view. */
const MAX_CHARS_OF_SEVERAL = 50;

/**
 * The original lines of a hunk, struck through after the lines that replace them: VS Code lets no extension put lines
 * of their own between those of the file. Where the agent replaced each line by one, each has its own; else the first
 * has all.
 * @param near lines of the document where they are wanted
 */
export function originalLines(hunk: Hunk, document: vscode.TextDocument, near: LineRange): vscode.DecorationOptions[] {
  const { baselineLines, currentLines, state } = hunk;
  // Where both have edited, three texts would be too many.
  if (baselineLines.length === 0 || state === 'conflicted') return [];
  const first = anchorOf(hunk, document.lineCount);
  if (baselineLines.length !== currentLines.length) return [afterLine(document, first, ...summary(baselineLines))];
  const from = Math.max(0, near.start - first);
  const to = Math.min(near.end, document.lineCount) - first;
  return baselineLines.slice(from, Math.max(from, to)).flatMap((line, i) => {
    const text = line.trim();
    // Only the indentation differs, or there is nothing to show.
    return text === '' || text === currentLines[from + i]!.trim() ? [] : [afterLine(document, first + from + i, text)];
  });
}

/** The first line that says something, and how many there are beside it. */
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
        // A colour of high contrast themes; the others have none, and no border.
        border: '1px solid',
        borderColor: new vscode.ThemeColor('diffEditor.removedTextBorder'),
      },
    },
  };
}
