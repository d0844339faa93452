import { asObject, numberOf, stringOf } from '../base/decode';

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

export const MAX_LABEL = 120;

/**
 * How long the windows of the Claude Agent SDK are, in minutes, by the beginning of their names. What follows is a
 * model.
 */
const claudeWindows: Readonly<Record<string, number>> = { five_hour: 300, seven_day: 10_080 };

/** Reads `_meta["_claude/rateLimit"]` of a `usage_update`: what the Claude Agent SDK tells of one window. */
export function decodeClaudeWindow(meta: unknown): PlanWindow | undefined {
  const raw = asObject(asObject(meta)['_claude/rateLimit']);
  const id = stringOf(raw['rateLimitType']);
  const status = stringOf(raw['status']);
  // Without a name it would be an entry of its own each time; credits beyond the plan are no window.
  if (id === undefined || status === undefined || id === 'overage') return undefined;
  const share = shareOf(numberOf(raw['utilization']));
  const resetsAt = timeOf(raw['resetsAt']);
  const length = Object.keys(claudeWindows).find((name) => id === name || id.startsWith(`${name}_`));
  const rest = id
    .slice(length === undefined ? 0 : length.length + 1)
    .replaceAll('_', ' ')
    .slice(0, MAX_LABEL);
  const name = length === undefined ? rest : rest.charAt(0).toUpperCase() + rest.slice(1);
  return {
    id,
    ...(length === undefined ? {} : { minutes: claudeWindows[length]! }),
    ...(name === '' ? {} : { name }),
    ...(share === undefined ? {} : { share }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(status === 'rejected' ? { isReached: true } : {}),
  };
}

/** A share, or a percentage where it is more than everything. */
export function shareOf(value: number | undefined): number | undefined {
  return value === undefined || value < 0 ? undefined : value > 1.5 ? value / 100 : value;
}

/** Seconds or milliseconds since 1970, or a date in words. */
export function timeOf(value: unknown): number | undefined {
  const number = numberOf(value) ?? Date.parse(stringOf(value) ?? '');
  return Number.isNaN(number) || number <= 0 ? undefined : number < 100_000_000_000 ? number * 1_000 : number;
}

/**
 * Reads `_meta.promptSuggestions` of a `session_info_update`: what the agent thinks that the user asks next.
 * @returns undefined where there is no such field; `text` is absent where there is no suggestion any more
 */
export function decodeSuggestion(meta: unknown): { readonly text?: string } | undefined {
  const raw = asObject(meta)['promptSuggestions'];
  if (raw === undefined) return undefined;
  const list = Array.isArray(raw) ? raw : asObject(raw)['suggestions'];
  const texts = (Array.isArray(list) ? list : []).map((item) =>
    (stringOf(item) ?? stringOf(asObject(item)['text']))?.trim(),
  );
  const text = texts.find((item) => item !== undefined && item !== '');
  return text === undefined ? {} : { text: text.slice(0, MAX_SUGGESTION) };
}

const MAX_SUGGESTION = 1_000;
