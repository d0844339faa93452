import { expect, it } from 'vitest';
import { decodeSessionList } from '../../../src/acp/decodeSessions';

const moment = Date.parse('2026-01-01T00:00:00Z');

it.each<[unknown, number | undefined]>([
  ['2026-01-01T00:00:00Z', moment],
  [moment, moment],
  [moment / 1_000, moment],
  [moment / 1_000 + 0.5, moment + 500],
  [moment * 1_000, moment],
  [moment * 1e6, moment],
  ['0001-01-01T00:00:00Z', undefined],
  [String(moment), moment],
  [String(moment / 1_000), moment],
  ['2026', Date.parse('2026')],
  [0, undefined],
  [-1, undefined],
  ['soon', undefined],
  [null, undefined],
])('a session of %j', (updatedAt, expected) => {
  expect(
    decodeSessionList({ sessions: [{ sessionId: 's', cwd: '/w', updatedAt }] }, () => {}).sessions[0]?.updatedAt,
  ).toBe(expected);
});
