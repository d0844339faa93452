import type { EntryView } from '../../src/protocol/entryView';
import type { PartContext } from './context';

/** Opens all folds in an entry. @returns closes them again */
export function openAll(view: EntryView, { ui, redraw }: PartContext): () => void {
  const { id } = view;
  const cards = view.kind === 'toolCall' ? view.content.filter((c) => c.type !== 'content') : [];
  const keys = [
    id,
    `details:${id}`,
    `all:${id}:-1`,
    ...cards.flatMap((card, i) => (card.type === 'terminal' ? `rows:${card.terminalId}` : `all:${id}:${i}`)),
  ];
  const before = keys.map((key) => [key, ui.isExpanded(key)] as const);
  for (const key of keys) ui.setExpanded(key, true);
  redraw(id);
  return () => {
    for (const [key, wasOpen] of before) ui.setExpanded(key, wasOpen);
    redraw(id);
  };
}
