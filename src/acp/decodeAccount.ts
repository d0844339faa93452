import { type AccountInfo, MAX_LABEL, type PlanWindow, shareOf, timeOf } from './decodePlanWindow';
import { asObject, numberOf, stringOf } from '../base/decode';
import { isObject, type JsonObject } from '../base/json';

/** The most rate limit windows read for one account; no plan has more. */
const MAX_WINDOWS = 12;

/** Reads `_auth/status_update`, an extension. `undefined` if there is nothing to show. */
export function decodeAuthStatus(params: unknown): AccountInfo | undefined {
  const status = asObject(asObject(params)['authStatus'] ?? params);
  const parts = [status['label'], status['detail'] ?? status['email']]
    .map(stringOf)
    .filter((text) => text !== undefined && text.trim() !== '');
  return parts.length === 0 ? undefined : { label: parts.join(' · ').slice(0, MAX_LABEL) };
}

/**
 * Reads `_account/rate_limits_update`, an extension whose shape is not settled: windows by name or in a list, alone or
 * in a field, in the words of the Codex app server.
 */
export function decodeRateLimits(params: unknown): AccountInfo | undefined {
  const raw = asObject(params);
  const within =
    ['rateLimits', 'rate_limits', 'rateLimit', 'limits', 'windows']
      .map((key) => raw[key])
      .find((value) => isObject(value) || Array.isArray(value)) ?? raw;
  const windows = Object.entries(within as object).flatMap(([key, value]) =>
    isObject(value)
      ? (windowOf(Array.isArray(within) ? (stringOf(value['id'] ?? value['name']) ?? key) : key, value) ?? [])
      : [],
  );
  return windows.length === 0 ? undefined : { windows: windows.slice(0, MAX_WINDOWS) };
}

function windowOf(id: string, raw: JsonObject): PlanWindow | undefined {
  const used = numberIn(raw, 'usedPercent', 'used_percent', 'percent');
  const share = used === undefined ? shareOf(numberIn(raw, 'utilization')) : Math.max(0, used / 100);
  if (share === undefined) return undefined;
  const minutes = numberIn(raw, 'windowDurationMins', 'window_duration_mins', 'windowMinutes', 'window_minutes');
  const resetsAt = timeOf(raw['resetsAt'] ?? raw['resets_at']);
  const name = stringOf(raw['label'] ?? raw['model']);
  return {
    id,
    share,
    ...(minutes === undefined || minutes <= 0 ? {} : { minutes }),
    ...(name === undefined ? {} : { name: name.slice(0, MAX_LABEL) }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(share >= 1 ? { isReached: true } : {}),
  };
}

function numberIn(raw: JsonObject, ...keys: readonly string[]): number | undefined {
  return keys.map((key) => numberOf(raw[key])).find((value) => value !== undefined);
}
