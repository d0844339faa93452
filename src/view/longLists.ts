import type { LongList, MoreView } from '../protocol/longList';
import { indexOfEntry, type Thread, type ToolCall } from '../thread/thread';

/** The most items of one list in the panel. */
export const maxShown = 200;

/** The beginning of a list, and the number of further items under its name. */
export function beginningOf<L extends LongList, T>(
  name: L,
  items: readonly T[],
): { readonly shown: readonly T[]; readonly more: MoreView<L> } {
  if (items.length <= maxShown) return { shown: items, more: {} as MoreView<L> };
  return { shown: items.slice(0, maxShown), more: { [name]: items.length - maxShown } as MoreView<L> };
}

/**
 * A whole list as plain text, for a document.
 * @param entryId the tool call that has it; none for the plan.
 * @returns undefined if there is no such list any more.
 */
export function wholeList(thread: Thread, list: LongList, entryId: string | undefined): string | undefined {
  if (list === 'plan')
    return thread.plan.map(({ content, status }) => `[${STATUS_MARKS[status] ?? ' '}] ${content}`).join('\n');
  const entry = entryId === undefined ? undefined : thread.entries.at(indexOfEntry(entryId));
  if (entry?.kind !== 'toolCall') return undefined;
  if (list === 'locations')
    return entry.locations.map(({ path, line }) => (line ? `${path}:${line}` : path)).join('\n');
  return entry.content.map(contentText).join('\n\n');
}

const STATUS_MARKS: Readonly<Record<string, string>> = { completed: 'x', in_progress: '>', cancelled: '-' };

function contentText(item: ToolCall['content'][number]): string {
  if (item.type === 'content' && item.content.type === 'text') return item.content.text;
  return JSON.stringify(item.type === 'content' ? item.content : item, undefined, 2);
}
