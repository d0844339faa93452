import { expect, it } from 'vitest';
import type { TurnUsage } from '../../../src/acp/decodeUsage';
import { addUsage, decodeTotals, plus, type UsageTotals } from '../../../src/thread/usageTotals';

const turn = (totalTokens: number) =>
  ({
    type: 'usage/updated',
    at: 1,
    turn: { totalTokens, inputTokens: 0, outputTokens: 0 } satisfies TurnUsage,
  }) as const;
const cost = (amount: number, currency = 'USD') =>
  ({ type: 'usage/updated', at: 1, context: { used: 1, size: 2, cost: { amount, currency } } }) as const;

/** Reports with the day of each. */
const play = (...reports: (readonly [ReturnType<typeof turn> | ReturnType<typeof cost>, number | undefined])[]) =>
  reports.reduce<UsageTotals | undefined>((before, [report, day]) => addUsage(before, report, day), undefined);

it('adds the tokens of turns, and counts the cost of a session once', () => {
  expect(play([turn(100), 1], [cost(0.5), 1], [cost(0.75), 1], [turn(50), 1])).toEqual({
    all: { tokens: 150, cost: { amount: 0.75, currency: 'USD' } },
    day: 1,
    ofDay: { tokens: 150, cost: { amount: 0.75, currency: 'USD' } },
    reported: { amount: 0.75, currency: 'USD' },
  });
});

it('begins each day anew, and not the session', () => {
  expect(play([turn(100), 1], [cost(0.5), 1], [cost(0.75), 2], [turn(7), 2])).toMatchObject({
    all: { tokens: 107, cost: { amount: 0.75 } },
    day: 2,
    ofDay: { tokens: 7, cost: { amount: 0.25 } },
  });
});

it('goes on where an agent begins to count again', () => {
  expect(play([cost(2), 1], [cost(0.5), 1], [cost(0.75), 1])!.all.cost!.amount).toBe(2.75);
});

it('an earlier report belongs to the session and to no day', () => {
  const joined = play([turn(10), 1], [cost(3), undefined])!;
  expect(joined).toMatchObject({ all: { tokens: 10, cost: { amount: 3 } }, day: 1, ofDay: { tokens: 10 } });
  expect(joined.ofDay.cost).toBeUndefined();
  expect(addUsage(joined, cost(3.5), 2)).toMatchObject({
    all: { cost: { amount: 3.5 } },
    ofDay: { cost: { amount: 0.5 } },
  });
});

it('is the same value where nothing was used', () => {
  const before = play([cost(1), 1]);
  expect(addUsage(before, cost(1), 1)).toBe(before);
  expect(addUsage(before, { type: 'usage/updated', at: 1, context: { used: 5, size: 9 } }, 1)).toBe(before);
  expect(addUsage(undefined, { type: 'usage/updated', at: 1, context: { used: 5, size: 9, cost: null } }, 1)).toBe(
    undefined,
  );
});

it('of two currencies the newer counts', () => {
  expect(
    plus({ tokens: 1, cost: { amount: 1, currency: 'USD' } }, { cost: { amount: 2, currency: 'credits' } }),
  ).toEqual({
    tokens: 1,
    cost: { amount: 2, currency: 'credits' },
  });
});

it('what was stored is read, and what is damaged is left out', () => {
  const totals = play([turn(100), 1], [cost(0.5), 1])!;
  expect(decodeTotals(JSON.parse(JSON.stringify(totals)))).toEqual(totals);
  expect(decodeTotals({ day: 1, all: { tokens: 'x', cost: { amount: 1 } }, ofDay: 3, reported: [] })).toEqual({
    day: 1,
    all: {},
    ofDay: {},
  });
  expect(decodeTotals(undefined)).toBeUndefined();
});
