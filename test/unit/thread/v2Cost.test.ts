import { describe, expect, it } from 'vitest';
import type { ThreadAction } from '../../../src/thread/actions';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread, type Thread } from '../../../src/thread/thread';
import { workTime } from '../../fakes/workTime';

const words = { type: 'text', text: 'some words ' } as const;

function play(
  thread: Thread,
  count: number,
  actionOf: (n: number) => ThreadAction,
): { readonly thread: Thread; readonly ms: number } {
  const start = workTime();
  let next = thread;
  for (let n = 0; n < count; n++) next = reduce(next, actionOf(n));
  return { thread: next, ms: workTime() - start };
}

/* What costs the same in v1, because it is always the last entry that grows, costs the same where any entry may. */
describe('the cost of an update of v2', () => {
  it('does not grow with the thread, wherever the message stands', () => {
    const messages = 5_000;
    const filled = play(emptyThread, messages, (n) => ({
      type: 'message/appended',
      at: n,
      role: 'agent',
      messageId: `m${n}`,
      content: words,
    })).thread;
    // Each goes to another message, the first ones among them. A cost that grew with the thread would take minutes.
    const { thread, ms } = play(filled, 100_000, (n) => ({
      type: 'message/appended',
      at: n,
      role: 'agent',
      messageId: `m${(n * 7919) % messages}`,
      content: words,
    }));
    expect(thread.entries.length).toBe(messages);
    expect(ms).toBeLessThan(25_000);
  });

  it('does not grow with what was streamed into a call', () => {
    const { thread, ms } = play(emptyThread, 100_000, (n) => ({
      type: 'toolCall/contentAppended',
      at: n,
      toolCallId: 't',
      content: [{ type: 'content', content: { type: 'text', text: `${n}` } }],
    }));
    const call = thread.entries.at(0);
    expect(call?.kind === 'toolCall' && [call.content.length, call.content.at(-1)]).toEqual([
      1_000,
      { type: 'content', content: { type: 'text', text: '99999' } },
    ]);
    expect(ms).toBeLessThan(25_000);
  });
});
