import { expect, it } from 'vitest';
import { silentLogger } from '../../../src/base/log';
import type { ThreadAction } from '../../../src/thread/actions';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread, type Thread } from '../../../src/thread/thread';
import { ThreadBudget } from '../../../src/thread/threadBudget';
import { Session } from '../../../src/thread/session';
import { FakeClock } from '../../fakes/fakeClock';

const limit = 40_000;
const after = (actions: Iterable<ThreadAction>): Thread => {
  const budget = new ThreadBudget(limit);
  let thread = emptyThread;
  for (const action of actions) thread = budget.after(action, reduce(thread, action));
  return thread;
};
const weight = (thread: Thread) =>
  JSON.stringify([...thread.entries].map((entry) => ('parts' in entry ? [...entry.parts] : entry))).length;
const called = (id: string, output: string, fields: object = { status: 'completed' }): ThreadAction => ({
  type: 'toolCall/patched',
  at: 1,
  fields: {
    toolCallId: id,
    title: id,
    content: [{ type: 'content', content: { type: 'text', text: output } }],
    ...fields,
  },
});
const said = (text: string, role: 'agent' | 'user' = 'agent'): ThreadAction => ({
  type: 'message/chunkAppended',
  at: 1,
  role,
  content: { type: 'text', text },
});
const count = (n: number, make: (i: number) => ThreadAction) => Array.from({ length: n }, (_, i) => make(i));

it.each<[string, readonly ThreadAction[]]>([
  ['calls with long output', count(200, (i) => called(`c${i}`, 'x'.repeat(3_000)))],
  [
    'calls with raw output',
    count(200, (i) => called(`c${i}`, '', { status: 'completed', rawOutput: { lines: ['y'.repeat(3_000)] } })),
  ],
  [
    'calls with long input',
    count(200, (i) => called(`c${i}`, '', { status: 'completed', rawInput: { text: 'z'.repeat(3_000) } })),
  ],
  ['calls that never end', count(200, (i) => called(`c${i}`, 'x'.repeat(9_000), { status: 'in_progress' }))],
  [
    'one call that goes on and on',
    count(500, () => ({
      type: 'toolCall/contentAppended',
      at: 1,
      toolCallId: 'c',
      content: [{ type: 'content', content: { type: 'text', text: 'x'.repeat(3_000) } }],
    })),
  ],
  ['one message that goes on and on', count(500, () => said('w'.repeat(3_000)))],
  ['many messages', count(500, (i) => (i % 2 ? said('w'.repeat(3_000)) : called(`c${i}`, 'short')))],
  [
    'diffs',
    count(200, (i) =>
      called(`c${i}`, '', {
        status: 'completed',
        content: [{ type: 'diff', path: '/a', oldText: 'o'.repeat(2_000), newText: 'n'.repeat(2_000) }],
      }),
    ),
  ],
])('a thread with %s stays within bounds, with the newest', (_, actions) => {
  const thread = after(actions);
  expect(weight(thread)).toBeLessThan(3 * limit + 300 * thread.entries.length);
  expect(JSON.stringify([...thread.entries].map((entry) => ('parts' in entry ? [...entry.parts] : entry)))).toContain(
    '(output no longer in memory: 0.1 MB)',
  );
});

it('prompts, what waits for the user and the newest output stay whole', () => {
  const prompt = 'p'.repeat(2_000);
  const asked: ThreadAction = {
    type: 'permission/requested',
    at: 1,
    requestId: 'r',
    fields: {
      toolCallId: 'asked',
      title: 'Write',
      content: [{ type: 'content', content: { type: 'text', text: 'all of it '.repeat(1_000) } }],
    },
    options: [],
  };
  const thread = after([
    { type: 'turn/started', at: 1, turnId: 't', prompt: [{ type: 'text', text: prompt }] },
    asked,
    ...count(100, (i) => called(`c${i}`, 'x'.repeat(3_000))),
    called('last', 'the newest'),
  ]);
  const all = [...thread.entries];
  expect(all[0]).toMatchObject({ kind: 'userMessage' });
  expect(JSON.stringify([...(all[0] as { parts: Iterable<unknown> }).parts])).toContain(prompt);
  expect(all[1]).toMatchObject({
    content: [{ content: { text: 'all of it '.repeat(1_000) } }],
    permissions: [{ requestId: 'r' }],
  });
  expect(all.at(-1)).toMatchObject({ content: [{ content: { text: 'the newest' } }] });
  expect(all.map(({ id }) => id)).toEqual(all.map((_, i) => `e${i}`));
});

it('terminals of a call stay, and a thread that is not too much is the same object', () => {
  const thread = after([
    called('t', '', {
      status: 'completed',
      content: [
        { type: 'terminal', terminalId: 'x' },
        { type: 'content', content: { type: 'text', text: 'x'.repeat(3_000) } },
      ],
    }),
    ...count(100, (i) => called(`c${i}`, 'x'.repeat(3_000))),
  ]);
  expect(thread.entries.at(0)).toMatchObject({ content: [{ type: 'content' }, { type: 'terminal', terminalId: 'x' }] });
  const [small, action] = [reduce(emptyThread, said('hi')), said('hi')];
  expect(new ThreadBudget(limit).after(action, small)).toBe(small);
});

it('a session goes on with what comes after', () => {
  const session = new Session('s', new FakeClock(), silentLogger);
  for (let i = 0; i < 90; i++)
    session.applyUpdate({
      type: 'toolCall',
      fields: { toolCallId: `c${i}`, status: 'completed', rawOutput: 'x'.repeat(1_000_000) },
    });
  session.applyUpdate({ type: 'toolCall', fields: { toolCallId: 'c0', title: 'Said later' } });
  expect(session.thread.entries.at(0)).toMatchObject({
    title: 'Said later',
    content: [{ content: { text: '(output no longer in memory: 1.0 MB)' } }],
  });
  expect(session.thread.entries.at(89)).toMatchObject({ rawOutput: 'x'.repeat(1_000_000) });
});
