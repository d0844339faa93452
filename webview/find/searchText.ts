import type { EntryView } from '../../src/protocol/entryView';
import type { TerminalView } from '../../src/protocol/terminalView';
import { foldedTexts, shownTexts } from '../parts/entryText';
import { withoutInlineMarks } from './inlineMarks';

/** The searchable text of an entry, folded or not. */
export function searchText(view: EntryView, terminal: (id: string) => TerminalView | undefined): string {
  const texts = [...shownTexts(view, terminal), ...foldedTexts(view)].join('\n');
  return view.kind === 'userMessage' || view.kind === 'agentMessage' || view.kind === 'thought'
    ? withoutMarks(texts)
    : texts;
}

/** The first line of a block with its own emphasis: items, headings, rows of a table. */
const BLOCK_START = /^[\s>]*(?:[-+*]\s|\d{1,9}[.)]\s|#{1,6}\s|\|)/;
const FENCE_START = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_END = /^[\s>]*(`{3,}|~{3,})\s*$/;

/** Markdown without the marks for bold, italic and code, which split words. Code stays unchanged. */
export function withoutMarks(markdown: string): string {
  if (!/[*`\\]/.test(markdown)) return markdown;
  const done: string[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) done.push(withoutInlineMarks(paragraph.join('\n')));
    paragraph = [];
  };
  let fence = '';
  for (const line of markdown.split('\n')) {
    if (fence !== '') {
      done.push(line);
      if (FENCE_END.exec(line)?.[1]!.startsWith(fence)) fence = '';
      continue;
    }
    fence = FENCE_START.exec(line)?.[1] ?? '';
    if (fence !== '' || line.trim() === '' || BLOCK_START.test(line)) endParagraph();
    if (fence === '') paragraph.push(line);
    else done.push(line);
  }
  endParagraph();
  return done.join('\n');
}
