import * as l10n from '@vscode/l10n';
import { visibleLine } from '../../src/base/visibleText';
import type { EntryId } from '../../src/protocol/entryId';
import type { EntryView } from '../../src/protocol/entryView';

/** The subagent's call that an entry belongs to. */
export function parentOf(view: EntryView | undefined): EntryId | undefined {
  return view && 'parentId' in view ? view.parentId : undefined;
}

/** How an entry of a subagent is set off from those of the agent. */
interface Nesting {
  /** The subagent's call. */
  readonly title: string;
  /** Said where another entry than one of the same subagent stands above, as when two of them work at once. */
  readonly label: string | undefined;
}

/**
 * Whose entry it is, where it is a subagent's.
 * @param above the entry right above, if there is one
 * @param entry finds an entry
 */
export function nestingOf(view: EntryView, above: EntryId | undefined, entry: (id: EntryId) => EntryView | undefined): Nesting | undefined {
  const parentId = parentOf(view);
  if (parentId === undefined) return undefined;
  const parent = entry(parentId);
  const title = parent?.kind === 'toolCall' ? parent.title : '';
  return { title, label: above !== undefined && above !== parentId && parentOf(entry(above)) !== parentId ? title : undefined };
}

/** Sets an entry of a subagent off from those of the agent. */
export function markNested(element: HTMLElement, nesting: Nesting | undefined): void {
  if (!nesting) return;
  element.classList.add('nested');
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', visibleLine(l10n.t('Part of {0}', nesting.title)));
  if (nesting.label !== undefined) element.dataset['within'] = nesting.label;
}
