import { expect, it } from 'vitest';
import { SessionIndex } from '../../../../src/host/sessions/sessionIndex';
import { countUsage, dayOf } from '../../../../src/host/sessions/sessionUsage';
import { MemoryState } from '../../../fakes/memoryState';

it('the index keeps what a session used, and tells of it only when it grows', () => {
  const state = new MemoryState();
  const index = new SessionIndex(state);
  index.put({ id: 'a', agent: 'A', cwd: '/w', createdAt: 1, updatedAt: 1 });
  const changed: string[] = [];
  index.onDidChange((id) => changed.push(id));
  const now = Date.UTC(2026, 10, 28, 12);
  const context = { used: 5, size: 9, cost: { amount: 0.5, currency: 'USD' } };
  countUsage(index, 'a', { type: 'usage/updated', at: 1, context }, now);
  countUsage(index, 'a', { type: 'usage/updated', at: 2, context: { ...context, used: 6 } }, now);
  countUsage(index, 'ghost', { type: 'usage/updated', at: 3, context }, now);
  expect(changed).toEqual(['a']);
  expect(new SessionIndex(state).get('a')!.usage).toEqual({
    all: { cost: { amount: 0.5, currency: 'USD' } },
    day: dayOf(now),
    ofDay: { cost: { amount: 0.5, currency: 'USD' } },
    reported: { amount: 0.5, currency: 'USD' },
  });
  expect(new Date(dayOf(now)).getHours()).toBe(0);
});
