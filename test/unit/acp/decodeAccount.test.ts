import { describe, expect, it } from 'vitest';
import { decodeAuthStatus, decodeRateLimits } from '../../../src/acp/decodeAccount';
import { decodeClaudeWindow, decodeSuggestion } from '../../../src/acp/decodePlanWindow';

const seconds = 1_790_000_000;
const at = seconds * 1_000;

describe('what agents tell of an account', () => {
  it.each<[params: unknown, label: string | undefined]>([
    [{ authStatus: { kind: 'gateway', label: 'Custom model gateway', detail: 'fake' } }, 'Custom model gateway · fake'],
    [{ authStatus: { kind: 'chatgpt', label: 'Plus' } }, 'Plus'],
    [{ label: 'Max', email: 'a@example.com' }, 'Max · a@example.com'],
    [{ authStatus: { label: ' ' } }, undefined],
    [{ authStatus: 7 }, undefined],
    [undefined, undefined],
  ])('%j', (params, label) => {
    expect(decodeAuthStatus(params)?.label).toBe(label);
  });

  it.each<[raw: unknown, window: unknown]>([
    [
      { status: 'allowed', rateLimitType: 'five_hour', resetsAt: seconds },
      { id: 'five_hour', minutes: 300, resetsAt: at },
    ],
    [
      { status: 'allowed_warning', rateLimitType: 'seven_day', utilization: 0.83, resetsAt: seconds },
      { id: 'seven_day', minutes: 10_080, share: 0.83, resetsAt: at },
    ],
    [
      { status: 'rejected', rateLimitType: 'seven_day_opus', utilization: 100 },
      { id: 'seven_day_opus', minutes: 10_080, name: 'Opus', share: 1, isReached: true },
    ],
    [
      { status: 'allowed', rateLimitType: 'one_year', utilization: 1 },
      { id: 'one_year', name: 'one year', share: 1 },
    ],
    [{ status: 'allowed', rateLimitType: 'overage' }, undefined],
    [{ status: 'allowed' }, undefined],
    ['x', undefined],
  ])('claude: %j', (raw, window) => {
    expect(decodeClaudeWindow({ '_claude/rateLimit': raw })).toEqual(window);
  });

  const primary = { id: 'primary', minutes: 300, share: 0.42, resetsAt: at };
  it.each<[params: unknown, windows: unknown]>([
    [
      {
        rateLimits: {
          primary: { usedPercent: 42, windowDurationMins: 300, resetsAt: seconds },
          secondary: null,
          planType: 'plus',
          credits: { hasCredits: false },
        },
      },
      [primary],
    ],
    [
      { sessionId: 's', rate_limits: { primary: { used_percent: 42, window_minutes: 300, resets_at: seconds } } },
      [primary],
    ],
    [{ primary: { usedPercent: 42, windowDurationMins: 300, resetsAt: new Date(at).toISOString() } }, [primary]],
    [
      {
        limits: [
          { id: 'primary', utilization: 0.42, windowMinutes: 300, resetsAt: at },
          { name: 'weekly', usedPercent: 100 },
          7,
        ],
      },
      [primary, { id: 'weekly', share: 1, isReached: true }],
    ],
    [{ rateLimits: {} }, undefined],
    [null, undefined],
  ])('codex: %j', (params, windows) => {
    expect(decodeRateLimits(params)?.windows).toEqual(windows);
  });

  it.each<[meta: unknown, suggestion: unknown]>([
    [{ promptSuggestions: { suggestions: [{ text: ' ' }, { text: ' Run the tests ' }] } }, { text: 'Run the tests' }],
    [{ promptSuggestions: { suggestions: [] } }, {}],
    [{ promptSuggestions: ['Run the tests'] }, { text: 'Run the tests' }],
    [{ promptSuggestions: null }, {}],
    [{ other: 1 }, undefined],
    [undefined, undefined],
  ])('suggestions: %j', (meta, suggestion) => {
    expect(decodeSuggestion(meta)).toEqual(suggestion);
  });
});
