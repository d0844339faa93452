import { asObject, numberOf, stringOf } from '../base/decode';
import type { ThreadAction } from './actions';

/** What was used, as agents count it. What no agent reported is absent. */
export interface Spent {
  readonly tokens?: number;
  /** `currency` is an ISO 4217 code or another unit, such as "credits". */
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** The usage of one session, and its share of the last day on which there was any. */
export interface UsageTotals {
  readonly all: Spent;
  /** The beginning of the day, epoch ms. */
  readonly day: number;
  readonly ofDay: Spent;
  /** The cost that the agent reported last, from which the next one is counted. */
  readonly reported?: Spent['cost'];
}

/**
 * Adds an agent's report: tokens for each turn, the cost for its session so far. A lower cost means that the agent has
 * begun to count again.
 * @param day the beginning of today, epoch ms; undefined for a report about earlier work
 * @returns the same value if nothing was used
 */
export function addUsage(
  before: UsageTotals | undefined,
  { turn, context }: Extract<ThreadAction, { type: 'usage/updated' }>,
  day: number | undefined,
): UsageTotals | undefined {
  const { reported } = before ?? {};
  const cost = context?.cost ?? undefined;
  const goesOn = cost && reported && cost.currency === reported.currency && cost.amount >= reported.amount;
  const amount = cost ? cost.amount - (goesOn ? reported.amount : 0) : 0;
  const tokens = turn?.totalTokens ?? 0;
  if (tokens === 0 && amount === 0) return before;
  const added: Spent = {
    ...(tokens > 0 ? { tokens } : {}),
    ...(cost && amount > 0 ? { cost: { amount, currency: cost.currency } } : {}),
  };
  const isToday = day !== undefined && day === before?.day;
  return {
    all: plus(before?.all ?? {}, added),
    day: day ?? before?.day ?? 0,
    ofDay: day === undefined ? (before?.ofDay ?? {}) : plus(isToday ? before.ofDay : {}, added),
    ...(cost ? { reported: cost } : reported ? { reported } : {}),
  };
}

/** The sum of two. Of two currencies the newer counts. */
export function plus(a: Spent, b: Spent): Spent {
  const tokens = (a.tokens ?? 0) + (b.tokens ?? 0);
  const cost =
    a.cost && b.cost?.currency === a.cost.currency
      ? { amount: a.cost.amount + b.cost.amount, currency: a.cost.currency }
      : (b.cost ?? a.cost);
  return { ...(tokens > 0 ? { tokens } : {}), ...(cost ? { cost } : {}) };
}

/** Reads what was stored; undefined if there is none. */
export function decodeTotals(raw: unknown): UsageTotals | undefined {
  const value = asObject(raw);
  const day = numberOf(value['day']);
  if (day === undefined) return undefined;
  const reported = costIn(value['reported']);
  return {
    all: spentIn(value['all']),
    day,
    ofDay: spentIn(value['ofDay']),
    ...(reported ? { reported } : {}),
  };
}

function spentIn(raw: unknown): Spent {
  const tokens = numberOf(asObject(raw)['tokens']);
  const cost = costIn(asObject(raw)['cost']);
  return { ...(tokens === undefined ? {} : { tokens }), ...(cost ? { cost } : {}) };
}

function costIn(raw: unknown): Spent['cost'] {
  const amount = numberOf(asObject(raw)['amount']);
  const currency = stringOf(asObject(raw)['currency']);
  return amount === undefined || currency === undefined ? undefined : { amount, currency };
}
