import type { EntryView } from '../../src/protocol/entryView';
import type { TerminalView } from '../../src/protocol/terminalView';
import { foldedTexts, shownTexts } from '../parts/entryText';

/** The text of an entry in which the user may look for something, folded or not. */
export function searchText(view: EntryView, terminal: (id: string) => TerminalView | undefined): string {
  const texts = [...shownTexts(view, terminal), ...foldedTexts(view)].join('\n');
  return view.kind === 'userMessage' || view.kind === 'agentMessage' || view.kind === 'thought' ? withoutMarks(texts) : texts;
}

/** Markdown without the marks for bold, italic and code, which cut words in two. Code stays as it is. */
export function withoutMarks(markdown: string): string {
  if (!/[*`]/.test(markdown)) return markdown;
  let fence = '';
  return markdown
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence === '' && mark !== undefined) fence = mark;
      else if (fence !== '' && mark?.startsWith(fence) === true) fence = '';
      else if (fence === '') return line.replaceAll(/`+|\*{1,3}(?=\S)|(?<=\S)\*{1,3}/g, '');
      return line;
    })
    .join('\n');
}
