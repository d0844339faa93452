import * as l10n from '@vscode/l10n';
import { visibleLine } from '../../src/base/visibleText';
import type { EntryId } from '../../src/protocol/entryId';
import type { EntryView } from '../../src/protocol/entryView';

/** The subagent's call that an entry belongs to. */
export function parentOf(view: EntryView | undefined): EntryId | undefined {
  return view && 'parentId' in view ? view.parentId : undefined;
}

/**
 * Sets an entry of a subagent off from those of the agent. Where another entry than one of the same subagent stands
 * above it, as when two of them work at once, it says whose it is.
 * @param above the entry right above, if there is one
 * @param entry finds an entry
 */
export function markNested(element: HTMLElement, view: EntryView, above: EntryId | undefined, entry: (id: EntryId) => EntryView | undefined): void {
  const parentId = parentOf(view);
  if (parentId === undefined) return;
  const parent = entry(parentId);
  const title = parent?.kind === 'toolCall' ? parent.title : '';
  element.classList.add('nested');
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', visibleLine(l10n.t('Part of {0}', title)));
  if (above !== undefined && above !== parentId && parentOf(entry(above)) !== parentId) element.dataset['within'] = title;
}
