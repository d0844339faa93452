import { describe, expect, it } from 'vitest';
import type { ProcessRow } from '../../../src/node/processTable';
import { leftBehind } from '../../../src/node/processTree';

const row = (fields: Partial<ProcessRow>): ProcessRow => ({
  pid: 20,
  parent: 1,
  group: 10,
  session: 0,
  started: '1',
  startedAt: 5_000,
  marked: false,
  ...fields,
});

describe('the group of a leader that has ended', () => {
  it.each<[string, readonly ProcessRow[], boolean]>([
    ['is its own while one that is older than its end lives in it', [row({ startedAt: 900 }), row({ pid: 21 })], true],
    ['to the exactness of the clock', [row({ startedAt: 1_020 })], true],
    ['or one with its mark', [row({ marked: true })], true],
    ['also where only the session has its number', [row({ group: 30, session: 10, startedAt: 900 })], true],
    ["is another's where all of it is younger", [row({}), row({ pid: 21, startedAt: 1_101 })], false],
    [
      'and where its pid is taken, whatever else there is',
      [row({ pid: 10, startedAt: 2_000 }), row({ startedAt: 900 })],
      false,
    ],
    ['is none where nobody is in it', [row({ group: 30, startedAt: 900, marked: true })], false],
  ])('%s', (_what, rows, expected) => expect(leftBehind(10, rows, 1_000)).toBe(expected));
});
