import { expect, it } from 'vitest';
import { commonBaseline } from '../../../src/changes/commonBaseline';
import { Ledger } from '../../../src/changes/ledger';

const path = '/p/a.txt';

/** What is done to the file by turns: a session by its number, or the user. */
function after(
  before: string | undefined,
  steps: readonly (readonly [by: number | 'person', text: string | undefined])[],
): Ledger[] {
  const ledgers = [new Ledger(), new Ledger()];
  let text = before;
  for (const [by, next] of steps) {
    for (const [i, ledger] of ledgers.entries()) {
      if (i === by) ledger.agentWrote(path, text, next);
      else ledger.edited(path, next);
    }
    text = next;
  }
  return ledgers;
}

it.each<
  [
    what: string,
    before: string | undefined,
    steps: readonly (readonly [by: number | 'person', text: string | undefined])[],
    baseline: string | undefined,
  ]
>([
  [
    'two places of two sessions',
    'a\nb\nc\n',
    [
      [0, 'A\nb\nc\n'],
      [1, 'A\nb\nC\n'],
    ],
    'a\nb\nc\n',
  ],
  [
    'one place of two sessions',
    'a\nb\n',
    [
      [0, 'A\nb\n'],
      [1, 'AA\nb\n'],
    ],
    'a\nb\n',
  ],
  [
    'with what the user has edited apart from them',
    'a\nb\nc\nd\ne\n',
    [
      [0, 'A\nb\nc\nd\ne\n'],
      ['person', 'A\nb\nmine\nd\ne\n'],
      [1, 'A\nb\nmine\nd\nE\n'],
    ],
    'a\nb\nmine\nd\ne\n',
  ],
  [
    'created by the one and changed by the other',
    undefined,
    [
      [0, 'a\n'],
      [1, 'b\n'],
    ],
    undefined,
  ],
  [
    'changed by the one and deleted by the other',
    'a\n',
    [
      [0, 'b\n'],
      [1, undefined],
    ],
    'a\n',
  ],
  ['of one session alone', 'a\n', [[1, 'b\n']], 'a\n'],
])('is what a file held before all sessions: %s', (_what, before, steps, baseline) => {
  expect(commonBaseline(path, after(before, steps))).toBe(baseline);
});
