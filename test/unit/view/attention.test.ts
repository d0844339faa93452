import { describe, expect, it } from 'vitest';
import {
  type AttentionItem,
  badgeOf,
  isTold,
  notificationOfEnd,
  stateLines,
  stateWords,
} from '../../../src/view/attention';

const item = (fields: Partial<AttentionItem> = {}): AttentionItem => ({
  agent: 'Demo',
  waiting: [],
  running: false,
  unread: false,
  ...fields,
});

describe('notifications', () => {
  it.each([
    ['waiting', 'off', false, false],
    ['waiting', 'waiting', false, true],
    ['waiting', 'waiting', true, false],
    ['waiting', 'all', false, true],
    ['waiting', 'all', true, false],
    ['finished', 'off', false, false],
    ['finished', 'waiting', false, false],
    ['finished', 'all', false, true],
    ['finished', 'all', true, false],
    ['failed', 'waiting', false, false],
    ['failed', 'all', false, true],
    ['failed', 'all', true, false],
  ] as const)('%s with the setting “%s”, in sight: %s → told: %s', (kind, setting, inSight, told) => {
    expect(isTold(kind, setting, inSight)).toBe(told);
  });

  it.each([
    ['end_turn', 'finished'],
    ['max_tokens', 'finished'],
    ['refusal', 'finished'],
    ['anything new', 'finished'],
    ['failed', 'failed'],
    ['cancelled', undefined],
  ])('a turn that ended with %s means: %s', (stopReason, kind) => {
    expect(notificationOfEnd(stopReason)).toBe(kind);
  });
});

describe('the badge', () => {
  it.each<[string, AttentionItem[], number, string]>([
    ['nothing', [item()], 0, ''],
    ['work alone', [item({ running: true })], 0, ''],
    ['one answer', [item({ running: true, waiting: ['Run it'] })], 1, 'An agent needs your answer'],
    [
      'answers of several sessions',
      [item({ waiting: ['a', 'b'] }), item({ waiting: ['c'] })],
      3,
      '3 requests need your answer',
    ],
    ['a session that finished unseen', [item({ unread: true })], 1, 'A finished session is unread'],
    ['one that waits is not counted twice', [item({ unread: true, waiting: ['a'] })], 1, 'An agent needs your answer'],
    ['one that works again is not finished', [item({ unread: true, running: true })], 0, ''],
    [
      'one that failed unseen',
      [item({ unread: true, failed: true }), item({ unread: true })],
      2,
      'A failed session is unread. A finished session is unread',
    ],
    [
      'both',
      [item({ waiting: ['a'] }), item({ unread: true }), item({ unread: true })],
      3,
      'An agent needs your answer. 2 finished sessions are unread',
    ],
  ])('counts %s', (_, items, value, tooltip) => {
    expect(badgeOf(items)).toEqual({ value, tooltip });
  });
});

describe('the status bar', () => {
  it.each<[string, AttentionItem[], string]>([
    ['is quiet while nothing goes on', [item(), item()], ''],
    [
      'says each state in words',
      [
        item({ waiting: ['a', 'b'], running: true }),
        item({ running: true }),
        item({ running: true }),
        item({ unread: true }),
      ],
      '1 waiting, 2 running, 1 unread',
    ],
    [
      'tells failures from what is only unread',
      [
        item({ unread: true, failed: true }),
        item({ unread: true }),
        item({ running: true, unread: true, failed: true }),
      ],
      '1 running, 1 failed, 1 unread',
    ],
  ])('%s', (_, items, words) => {
    expect(stateWords(items)).toBe(words);
  });

  it.each<[string, AttentionItem, string[]]>([
    ['nothing of an idle session', item({ title: 'A' }), []],
    [
      'the running tool',
      item({ title: 'Fix the lexer', running: true, activity: 'npm  test\n--watch' }),
      ['Demo (Fix the lexer): working: npm test --watch'],
    ],
    ['work without a tool', item({ running: true }), ['Demo: working']],
    [
      'the question',
      item({ running: true, activity: 'x', waiting: ['Run `npm test`?'] }),
      ['Demo: waiting for you: Run `npm test`?'],
    ],
    [
      'the question of a subagent',
      item({ title: 'A', waiting: ['Run it'], asker: 'Demo (subagent “Review”)' }),
      ['Demo (subagent “Review”) (A): waiting for you: Run it'],
    ],
    [
      'several questions',
      item({ waiting: ['a', 'b'], asker: 'Demo (subagent “Review”)' }),
      ['Demo: waiting for 2 answers'],
    ],
    ['the end', item({ unread: true }), ['Demo: finished']],
    ['no more than fits', item({ running: true, activity: 'x'.repeat(200) }), [`Demo: working: ${'x'.repeat(79)}…`]],
  ])('tells on hover %s', (_, one, lines) => {
    expect(stateLines([one])).toEqual(lines);
  });
});
