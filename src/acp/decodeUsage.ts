import { asObject, numberOf, stringOf } from '../base/decode';
import type { JsonObject } from '../base/json';

/** `usage_update`: tokens in the context window. */
export interface ContextUsage {
  readonly used: number;
  /** 0 if the agent does not know it. */
  readonly size: number;
  /**
   * For the whole session so far; absent keeps the last value, null clears it (v2). `currency` is an ISO 4217 code or
   * another unit, such as "credits".
   */
  readonly cost?: { readonly amount: number; readonly currency: string } | null;
}

/** `PromptResponse.usage` (unstable schema): tokens, as the agent counts them. */
export interface TurnUsage {
  readonly totalTokens: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly thoughtTokens?: number;
  readonly cachedReadTokens?: number;
  readonly cachedWriteTokens?: number;
}

/** Reads a `usage_update`. An unreadable cost counts as absent. `undefined` without both numbers (item 112). */
export function decodeContextUsage(update: JsonObject): ContextUsage | undefined {
  const used = count(update['used']);
  const size = count(update['size']);
  if (used === undefined || size === undefined) return undefined;
  const cost = asObject(update['cost']);
  const amount = numberOf(cost['amount']);
  const currency = stringOf(cost['currency']);
  return { used, size, ...(amount === undefined || currency === undefined ? {} : { cost: { amount, currency } }) };
}

/** Reads `usage` of the answer to a prompt. `undefined` if it is absent or unusable. */
export function decodeTurnUsage(raw: unknown): TurnUsage | undefined {
  const usage = asObject(raw);
  const totalTokens = count(usage['totalTokens']);
  const inputTokens = count(usage['inputTokens']);
  const outputTokens = count(usage['outputTokens']);
  if (totalTokens === undefined || inputTokens === undefined || outputTokens === undefined) return undefined;
  const optional = (['thoughtTokens', 'cachedReadTokens', 'cachedWriteTokens'] as const).flatMap((key) => {
    const value = count(usage[key]);
    return value === undefined ? [] : [[key, value]];
  });
  return { totalTokens, inputTokens, outputTokens, ...Object.fromEntries(optional) };
}

function count(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 ? number : undefined;
}
