import { afterEach, expect, it, vi } from 'vitest';
import { fromLocal, toLocal } from '../../../webview/lib/localTime';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['UTC', '2026-11-20T14:30:00Z', '2026-11-20T14:30'],
  ['Asia/Kolkata', '2026-11-20T14:30:05Z', '2026-11-20T20:00:05'],
  ['America/New_York', '2026-07-01T02:00:00Z', '2026-06-30T22:00'],
])('in %s the moment %s is %s, and back', (zone, moment, local) => {
  vi.stubEnv('TZ', zone);
  expect(toLocal(moment)).toBe(local);
  expect(fromLocal(local)).toBe(moment);
});

it('a moment with an offset is the same moment', () => {
  vi.stubEnv('TZ', 'UTC');
  expect(toLocal('2026-11-20T14:30:00+05:30')).toBe('2026-11-20T09:00');
});

it.each(['', 'soon', '2026-13-01'])('%j is no moment', (text) => {
  expect(toLocal(text)).toBe('');
  expect(fromLocal(text)).toBe('');
});
