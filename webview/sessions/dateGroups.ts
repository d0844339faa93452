import * as l10n from '@vscode/l10n';
import type { SessionItemView } from '../../src/protocol/sessionsView';

export type SessionGroup = 'pinned' | 'today' | 'yesterday' | 'week' | 'older';

const order: readonly SessionGroup[] = ['pinned', 'today', 'yesterday', 'week', 'older'];

/** Sessions by the local day of their last change, each group in the order of the items. @param now epoch ms */
export function dateGroups(
  items: readonly SessionItemView[],
  now: number,
): readonly { readonly group: SessionGroup; readonly items: readonly SessionItemView[] }[] {
  const [today, yesterday, week] = [0, 1, 7].map((days) => startOfDay(now, days)) as [number, number, number];
  const groupOf = ({ isPinned, updatedAt = 0 }: SessionItemView): SessionGroup =>
    isPinned
      ? 'pinned'
      : updatedAt >= today
        ? 'today'
        : updatedAt >= yesterday
          ? 'yesterday'
          : updatedAt >= week
            ? 'week'
            : 'older';
  const groups = new Map<SessionGroup, SessionItemView[]>(order.map((group) => [group, []]));
  for (const item of items) groups.get(groupOf(item))!.push(item);
  return order.flatMap((group) => (groups.get(group)!.length > 0 ? [{ group, items: groups.get(group)! }] : []));
}

export function groupTitle(group: SessionGroup): string {
  switch (group) {
    case 'pinned':
      return l10n.t('Pinned');
    case 'today':
      return l10n.t('Today');
    case 'yesterday':
      return l10n.t('Yesterday');
    case 'week':
      return l10n.t('Last 7 days');
    case 'older':
      return l10n.t('Older');
  }
}

/** Days differ in length when clocks are changed. */
function startOfDay(now: number, daysAgo: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime();
}
