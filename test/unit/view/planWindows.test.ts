import { expect, it } from 'vitest';
import type { AccountInfo } from '../../../src/acp/decodePlanWindow';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread } from '../../../src/thread/thread';
import { nearlyUsedWords, planWindowViews, usageView } from '../../../src/view/projectUsage';

const now = 1_000;

it.each<[words: string | undefined, windows: AccountInfo['windows']]>([
  [undefined, undefined],
  [undefined, [{ id: 'a', minutes: 300, share: 0.79 }]],
  ['5-hour limit 80%', [{ id: 'a', minutes: 300, share: 0.8 }]],
  [
    'Weekly limit 99%',
    [
      { id: 'a', minutes: 300, share: 0.8 },
      { id: 'b', minutes: 10_080, share: 0.999 },
    ],
  ],
  [
    'Weekly limit (Opus) reached',
    [
      { id: 'a', minutes: 10_080, name: 'Opus', isReached: true },
      { id: 'b', minutes: 300, share: 0.99 },
    ],
  ],
  ['2-day limit 90%', [{ id: 'a', minutes: 2_880, share: 0.9 }]],
  ['90-minute limit 90%', [{ id: 'a', minutes: 90, share: 0.9 }]],
  ['credits limit 90%', [{ id: 'credits', share: 0.9 }]],
  // It began anew.
  [undefined, [{ id: 'a', minutes: 300, share: 0.9, resetsAt: now - 1 }]],
])('the status bar says %s', (words, windows) => {
  expect(nearlyUsedWords(windows && { windows }, now)).toBe(words);
});

it('what an agent tells in parts is joined, and a window that begins anew is not', () => {
  const told: AccountInfo[] = [
    { label: 'Plus' },
    { windows: [{ id: 'five_hour', minutes: 300, share: 0.85, resetsAt: 5_000 }] },
    {
      windows: [
        { id: 'five_hour', minutes: 300, resetsAt: 5_000 },
        { id: 'seven_day', minutes: 10_080, share: 0.2 },
      ],
    },
  ];
  let thread = told.reduce(
    (before, account) => reduce(before, { type: 'account/updated', at: 1, account }),
    emptyThread,
  );
  expect(usageView(thread)).toEqual({
    account: 'Plus',
    windows: [
      { label: '5-hour limit', share: 0.85, resetsAt: 5_000 },
      { label: 'Weekly limit', share: 0.2 },
    ],
  });
  expect(reduce(thread, { type: 'account/updated', at: 2, account: told[2]! })).toBe(thread);
  thread = reduce(thread, {
    type: 'account/updated',
    at: 3,
    account: { windows: [{ id: 'five_hour', minutes: 300, resetsAt: 9_000 }] },
  });
  expect(planWindowViews(thread.account)).toEqual([
    { label: 'Weekly limit', share: 0.2 },
    { label: '5-hour limit', resetsAt: 9_000 },
  ]);
});

it('a suggestion stays until the user asks something, or the agent has none', () => {
  const suggested = reduce(emptyThread, { type: 'suggestion/changed', at: 1, text: 'Run the tests' });
  expect(suggested.suggestion).toBe('Run the tests');
  expect(reduce(suggested, { type: 'suggestion/changed', at: 2 }).suggestion).toBeUndefined();
  expect(
    reduce(suggested, { type: 'turn/started', at: 2, turnId: 't', prompt: [{ type: 'text', text: 'No' }] }).suggestion,
  ).toBeUndefined();
  expect(reduce(suggested, { type: 'turn/started', at: 2, turnId: 't', prompt: [] }).suggestion).toBe('Run the tests');
});
