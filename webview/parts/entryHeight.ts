import type { ContentView } from '../../src/protocol/contentView';
import type { EntryView } from '../../src/protocol/entryView';
import type { TerminalView } from '../../src/protocol/terminalView';
import type { ToolCallView } from '../../src/protocol/toolCallView';
import { charactersPerLine } from '../markdown/lineLength';

/** One dim line: a finished call, a thought, a fold. */
export const LINE = 28;
const TEXT_LINE = 20;
const CODE_LINE = 18;
const CARD_HEAD = 46;
/** The lines that a card shows of a diff or of output before it is opened. */
const SHORT_DIFF = 18;
const SHORT_OUTPUT = 11;

/**
 * An estimate of an entry's height, for the scroll bar. The cost does not depend on its text.
 * @param isOpen whether the user opened or closed it by hand
 * @param terminal finds a terminal
 */
export function guessHeight(
  view: EntryView,
  isOpen: boolean | undefined,
  terminal: (id: string) => TerminalView | undefined,
): number {
  switch (view.kind) {
    case 'userMessage':
      return 36 + Math.min(isOpen ? Infinity : 280, textHeight(view.content));
    case 'agentMessage':
      return 12 + textHeight(view.content);
    case 'thought':
    case 'compaction':
      return LINE + (isOpen ? textHeight(view.content) : 0);
    case 'toolCall':
      return callHeight(view, isOpen, terminal);
    case 'notice':
      return (
        LINE + (view.detail === undefined || (view.passed && !isOpen) ? 0 : 60) + (view.actions.length > 0 ? 38 : 0)
      );
    case 'elicitation':
      return view.state === 'waiting' ? 240 : 50;
  }
}

function callHeight(
  view: ToolCallView,
  isOpen: boolean | undefined,
  terminal: (id: string) => TerminalView | undefined,
): number {
  if (view.permissions.length > 0) return view.permissions.length * 260;
  const cards = view.content.filter((c) => c.type !== 'content');
  if (cards.length === 0) return (isOpen ?? view.status === 'failed') ? LINE + 80 : LINE;
  let height = cards.length === 1 ? 0 : LINE;
  for (const card of cards) {
    height += CARD_HEAD;
    if (isOpen === false) continue;
    if (card.type === 'terminal')
      height +=
        12 +
        Math.min(SHORT_OUTPUT, card.output?.lines.length ?? terminal(card.terminalId)?.rows.length ?? 0) * CODE_LINE;
    else
      height +=
        8 +
        Math.min(
          SHORT_DIFF,
          card.hunks.reduce((sum, hunk) => sum + 1 + hunk.lines.length, 0),
        ) *
          CODE_LINE;
  }
  return height;
}

function textHeight(content: readonly ContentView[]): number {
  const perLine = charactersPerLine();
  return content.reduce(
    (sum, c) => sum + (c.type === 'text' ? Math.ceil((c.text.length * 1.3) / perLine) * TEXT_LINE : 60),
    0,
  );
}
