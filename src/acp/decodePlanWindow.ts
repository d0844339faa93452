import { asObject, numberOf, stringOf } from '../base/decode';

/** A usage limit of the user's plan, such as 5 hours or a week. Values that the agent did not send are absent. */
export interface PlanWindow {
  /** Distinguishes the windows of one account. */
  readonly id: string;
  /** The length of the window. */
  readonly minutes?: number;
  /** The part that the limit covers, such as a model; absent if it covers everything. */
  readonly name?: string;
  /** The used share, 0 to 1; above 1 if the user exceeded the limit. */
  readonly share?: number;
  /** Epoch ms. */
  readonly resetsAt?: number;
  /** The limit is used up until `resetsAt`. */
  readonly isReached?: true;
}

/** The account that the agent uses, as it describes it. */
export interface AccountInfo {
  /** The payer, in the agent's words: a plan, a gateway. */
  readonly label?: string;
  readonly windows?: readonly PlanWindow[];
}

export const MAX_LABEL = 120;

/** Window lengths of the Claude Agent SDK in minutes, by the prefix of their names. The rest of a name is a model. */
const claudeWindows: Readonly<Record<string, number>> = { five_hour: 300, seven_day: 10_080 };

/** Reads `_meta["_claude/rateLimit"]` of a `usage_update`, which describes one window of the Claude Agent SDK. */
export function decodeClaudeWindow(meta: unknown): PlanWindow | undefined {
  const raw = asObject(asObject(meta)['_claude/rateLimit']);
  const id = stringOf(raw['rateLimitType']);
  const status = stringOf(raw['status']);
  // A window without a name could not be updated later; credits beyond the plan are not a window.
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

/** Reads a share; a value above 1 is a percentage. */
export function shareOf(value: number | undefined): number | undefined {
  return value === undefined || value < 0 ? undefined : value > 1.5 ? value / 100 : value;
}

/** Seconds or milliseconds since 1970, or a date in words. */
export function timeOf(value: unknown): number | undefined {
  const number = numberOf(value) ?? Date.parse(stringOf(value) ?? '');
  return Number.isNaN(number) || number <= 0 ? undefined : number < 100_000_000_000 ? number * 1_000 : number;
}

/**
 * Reads `_meta.promptSuggestions` of a `session_info_update`: the agent's guess at the user's next prompt.
 * @returns undefined if there is no such field; `text` is absent if there is no suggestion any more
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
