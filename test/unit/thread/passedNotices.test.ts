import { describe, expect, it } from 'vitest';
import type { ThreadAction } from '../../../src/thread/actions';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread } from '../../../src/thread/thread';

const ask = (turnId: string, ...within: ThreadAction[]): ThreadAction[] => [
  { type: 'turn/started', at: 1, turnId, prompt: [{ type: 'text', text: 'do' }] },
  ...within,
  { type: 'turn/ended', at: 3, turnId, stopReason: 'end_turn' },
];
const notice = (fields: Partial<Extract<ThreadAction, { type: 'notice/added' }>>): ThreadAction => ({
  type: 'notice/added',
  at: 2,
  severity: 'error',
  title: 'Broken',
  ...fields,
});
const noticesOf = (...actions: ThreadAction[]) =>
  [...actions.reduce((thread, action) => reduce(thread, action), emptyThread).entries].flatMap((entry) =>
    entry.kind === 'notice'
      ? [{ title: entry.title, actions: entry.actions, passed: entry.passed ?? false, retryAt: entry.retryAt }]
      : [],
  );

describe('a problem', () => {
  const limit = notice({ title: 'Limit', actions: ['retry', 'showLog'], retryAt: 9 });

  it('is left behind by the next prompt, also where more was said after it', () => {
    expect(noticesOf(...ask('a', limit))).toEqual([
      { title: 'Limit', actions: ['retry', 'showLog'], passed: false, retryAt: 9 },
    ]);
    const left = { title: 'Limit', actions: [], passed: true, retryAt: undefined };
    expect(noticesOf(...ask('a', limit), ...ask('b'))).toEqual([left]);
    const more = notice({ title: 'Slow', severity: 'warning', actions: ['restart'] });
    expect(
      noticesOf(
        ...ask('a', limit, {
          type: 'message/chunkAppended',
          at: 2,
          role: 'agent',
          content: { type: 'text', text: 'On.' },
        }),
        more,
        ...ask('b'),
        ...ask('c'),
      ),
    ).toEqual([left, { ...left, title: 'Slow' }]);
  });

  it('is something else than what was asked or done, which stays, without Retry', () => {
    const info = [
      notice({ severity: 'info', title: 'Not sent', actions: ['retry'] }),
      notice({ severity: 'info', title: 'Include?', actions: ['includeConversation', 'omitConversation'] }),
    ];
    expect(noticesOf(...ask('a'), ...info, ...ask('b')).map(({ actions, passed }) => [actions, passed])).toEqual([
      [[], false],
      [['includeConversation', 'omitConversation'], false],
    ]);
  });
});
