import { asObject, isObject, type JsonObject, numberOf, stringOf } from './json';

/** A window of the user's plan, such as 5 hours or a week. What the agent did not tell is absent. */
export interface PlanWindow {
  /** Tells windows of one account apart. */
  readonly id: string;
  /** How long it is. */
  readonly minutes?: number;
  /** What it is for, where it is not for everything: a model, say. */
  readonly name?: string;
  /** 0 to 1, of what it allows; more where more was used. */
  readonly share?: number;
  /** Epoch ms. */
  readonly resetsAt?: number;
  /** Nothing more is allowed until then. */
  readonly isReached?: true;
}

/** What an agent tells of the account that it works with. */
export interface AccountInfo {
  /** Who pays, in words of the agent: a plan, a gateway. */
  readonly label?: string;
  readonly windows?: readonly PlanWindow[];
}

/** Windows of one account that are kept; no plan has more. */
const MAX_WINDOWS = 12;
const MAX_LABEL = 120;

/** Reads `_auth/status_update`, an extension. `undefined` where it says nothing that could be shown. */
export function decodeAuthStatus(params: unknown): AccountInfo | undefined {
  const status = asObject(asObject(params)['authStatus'] ?? params);
  const parts = [status['label'], status['detail'] ?? status['email']].map(stringOf).filter((text) => text !== undefined && text.trim() !== '');
  return parts.length === 0 ? undefined : { label: parts.join(' · ').slice(0, MAX_LABEL) };
}

/**
 * Reads `_account/rate_limits_update`, an extension whose shape is not settled: windows by name or in a list, alone or in a field, in
 * the words of the Codex app server.
 */
export function decodeRateLimits(params: unknown): AccountInfo | undefined {
  const raw = asObject(params);
  const within = ['rateLimits', 'rate_limits', 'rateLimit', 'limits', 'windows'].map((key) => raw[key]).find((value) => isObject(value) || Array.isArray(value)) ?? raw;
  const windows = Object.entries(within as object).flatMap(([key, value]) => (isObject(value) ? (windowOf(Array.isArray(within) ? (stringOf(value['id'] ?? value['name']) ?? key) : key, value) ?? []) : []));
  return windows.length === 0 ? undefined : { windows: windows.slice(0, MAX_WINDOWS) };
}

function windowOf(id: string, raw: JsonObject): PlanWindow | undefined {
  const used = numberIn(raw, 'usedPercent', 'used_percent', 'percent');
  const share = used === undefined ? shareOf(numberIn(raw, 'utilization')) : Math.max(0, used / 100);
  if (share === undefined) return undefined;
  const minutes = numberIn(raw, 'windowDurationMins', 'window_duration_mins', 'windowMinutes', 'window_minutes');
  const resetsAt = timeOf(raw['resetsAt'] ?? raw['resets_at']);
  const name = stringOf(raw['label'] ?? raw['model']);
  return { id, share, ...(minutes === undefined || minutes <= 0 ? {} : { minutes }), ...(name === undefined ? {} : { name: name.slice(0, MAX_LABEL) }), ...(resetsAt === undefined ? {} : { resetsAt }), ...(share >= 1 ? { isReached: true } : {}) };
}

const claudeWindows: Readonly<Record<string, Pick<PlanWindow, 'minutes' | 'name'>>> = {
  five_hour: { minutes: 300 },
  seven_day: { minutes: 10_080 },
  seven_day_opus: { minutes: 10_080, name: 'Opus' },
  seven_day_sonnet: { minutes: 10_080, name: 'Sonnet' },
};

/** Reads `_meta["_claude/rateLimit"]` of a `usage_update`: what the Claude Agent SDK tells of one window. */
export function decodeClaudeWindow(meta: unknown): PlanWindow | undefined {
  const raw = asObject(asObject(meta)['_claude/rateLimit']);
  const id = stringOf(raw['rateLimitType']);
  const status = stringOf(raw['status']);
  // Without a name it would be an entry of its own each time; credits beyond the plan are no window.
  if (id === undefined || status === undefined || id === 'overage') return undefined;
  const share = shareOf(numberOf(raw['utilization']));
  const resetsAt = timeOf(raw['resetsAt']);
  const known = claudeWindows[id] ?? { name: id.replaceAll('_', ' ').slice(0, MAX_LABEL) };
  return { id, ...known, ...(share === undefined ? {} : { share }), ...(resetsAt === undefined ? {} : { resetsAt }), ...(status === 'rejected' ? { isReached: true } : {}) };
}

/** A share, or a percentage where it is more than everything. */
function shareOf(value: number | undefined): number | undefined {
  return value === undefined || value < 0 ? undefined : value > 1.5 ? value / 100 : value;
}

/** Seconds or milliseconds since 1970, or a date in words. */
function timeOf(value: unknown): number | undefined {
  const number = numberOf(value) ?? Date.parse(stringOf(value) ?? '');
  return Number.isNaN(number) || number <= 0 ? undefined : number < 100_000_000_000 ? number * 1_000 : number;
}

function numberIn(raw: JsonObject, ...keys: readonly string[]): number | undefined {
  return keys.map((key) => numberOf(raw[key])).find((value) => value !== undefined);
}

/**
 * Reads `_meta.promptSuggestions` of a `session_info_update`: what the agent thinks that the user asks next.
 * @returns undefined where there is no such field; `text` is absent where there is no suggestion any more
 */
export function decodeSuggestion(meta: unknown): { readonly text?: string } | undefined {
  const raw = asObject(meta)['promptSuggestions'];
  if (raw === undefined) return undefined;
  const list = Array.isArray(raw) ? raw : asObject(raw)['suggestions'];
  const texts = (Array.isArray(list) ? list : []).map((item) => (stringOf(item) ?? stringOf(asObject(item)['text']))?.trim());
  const text = texts.find((item) => item !== undefined && item !== '');
  return text === undefined ? {} : { text: text.slice(0, MAX_SUGGESTION) };
}

const MAX_SUGGESTION = 1_000;
