import type { ThreadAction } from '../../thread/actions';
import { addUsage, decodeTotals } from '../../thread/usageTotals';
import type { SessionIndex } from './sessionIndex';

/** The beginning of a day in the user's time zone. Both epoch ms. */
export function dayOf(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}

/** Notes what an agent reports of a session's usage. @param now epoch ms; undefined for a report about earlier work */
export function countUsage(
  index: Pick<SessionIndex, 'get' | 'patch'>,
  id: string,
  report: Extract<ThreadAction, { type: 'usage/updated' }>,
  now: number | undefined,
): void {
  const before = decodeTotals(index.get(id)?.usage);
  const usage = addUsage(before, report, now === undefined ? undefined : dayOf(now));
  if (usage !== before) index.patch(id, { usage });
}
