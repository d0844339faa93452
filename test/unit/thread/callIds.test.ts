import { expect, it } from 'vitest';
import { decodeUpdate } from '../../../src/acp/decodeUpdate';
import { nothingOffered } from '../../../src/acp/decodeOptions';
import { threadToMarkdown } from '../../../src/thread/markdown';
import { replay } from '../../../src/thread/replay';
import { neverCancelled } from '../../../src/base/cancellation';
import { pendingQuestions } from '../../../src/view/pendingQuestions';
import { ScenarioPlayer } from './scenario';
import { workTime } from '../../fakes/workTime';

const call = (fields: object, tag = 'tool_call') => ({ sessionUpdate: tag, toolCallId: 'bash:0', ...fields });
const run = (command: string) =>
  call({
    title: command,
    kind: 'execute',
    status: 'in_progress',
    rawInput: { command },
    content: [{ type: 'terminal', terminalId: 'bash:0' }],
    _meta: { terminal_info: { terminal_id: 'bash:0' } },
  });
const of = (parent: string) => ({ _meta: { claudeCode: { parentToolUseId: parent } } });
const ends = (code: number) =>
  call(
    { status: 'completed', _meta: { terminal_exit: { terminal_id: 'bash:0', exit_code: code } } },
    'tool_call_update',
  );

it('an id that comes again has a terminal of its own', async () => {
  const player = new ScenarioPlayer();
  const events: unknown[] = [];
  player.session.onDidReceiveTerminal((event) => events.push(event));
  for (const update of [run('a'), ends(0), run('b'), ends(3)]) await player.play({ update });
  const terminals = [...player.session.thread.entries].flatMap((entry) =>
    entry.kind === 'toolCall' ? entry.content : [],
  );
  expect(new Set(terminals.map((item) => item.type === 'terminal' && item.terminalId)).size).toBe(2);
  const [first, second] = terminals.map((item) => (item.type === 'terminal' ? item.terminalId : ''));
  expect(events).toMatchObject([
    { type: 'started', terminalId: first },
    { type: 'exited', terminalId: first, exitCode: 0 },
    { type: 'started', terminalId: second },
    { type: 'exited', terminalId: second, exitCode: 3 },
  ]);
});

it('calls of one id that run at once are cards of their own, and the first is told of first', async () => {
  const player = new ScenarioPlayer();
  const says = (text: string) =>
    call({ status: 'completed', content: [{ type: 'content', content: { type: 'text', text } }] }, 'tool_call_update');
  const runs = (command: string) =>
    call({ title: command, kind: 'execute', status: 'in_progress', rawInput: { command } });
  for (const update of [runs('ls'), runs('pwd'), says('a.ts'), says('/work')]) await player.play({ update });
  expect(
    [...player.session.thread.entries].map(
      (entry) => entry.kind === 'toolCall' && [entry.title, entry.status, entry.content[0]],
    ),
  ).toMatchObject([
    ['ls', 'completed', { content: { text: 'a.ts' } }],
    ['pwd', 'completed', { content: { text: '/work' } }],
  ]);
});

it.each([
  ['grows', { title: 'npm', rawInput: { command: 'npm' } }, { title: 'npm test', rawInput: { command: 'npm test' } }],
  [
    'gets a title',
    { title: 'npm test', rawInput: { command: 'npm test' } },
    { title: 'Runs the tests', rawInput: { command: 'npm test', description: 'Runs the tests' } },
  ],
  [
    'gets other fields',
    { title: 'Read', rawInput: { path: 'a' } },
    { title: 'Read a.ts', rawInput: { file_path: '/work/a.ts' } },
  ],
])('a call that is announced once more while it runs, because it %s, is one card', async (_, first, second) => {
  const player = new ScenarioPlayer();
  for (const fields of [first, second]) await player.play({ update: call({ status: 'pending', ...fields }) });
  expect(player.session.thread.entries.length).toBe(1);
});

it('the ids of a new session of the agent are others', async () => {
  const player = new ScenarioPlayer();
  for (const update of [run('a'), ends(0), run('b'), ends(0)]) await player.play({ update });
  player.session.attach({ sessionId: 's2', link: player.session as never }, nothingOffered, true);
  for (const update of [run('c'), ends(0)]) await player.play({ update });
  expect(threadToMarkdown(player.session.thread).match(/## Tool: ./g)).toEqual([
    '## Tool: a',
    '## Tool: b',
    '## Tool: c',
  ]);
});

it('a thread that was stored goes on with the newest call of an id', async () => {
  const player = new ScenarioPlayer();
  for (const update of [run('a'), ends(0), run('b')]) await player.play({ update });
  const restored = new ScenarioPlayer(1, false, replay(player.actions));
  await restored.play({ update: call({ status: 'completed', title: 'b is done' }, 'tool_call_update') });
  expect(threadToMarkdown(restored.session.thread).match(/## Tool: .*/g)).toEqual(['## Tool: a', '## Tool: b is done']);
});

it('ten thousand calls of one id cost no more than as many ids', () => {
  const player = new ScenarioPlayer();
  const updates = Array.from(
    { length: 10_000 },
    (_, n) => decodeUpdate(call({ title: `run ${n}`, status: 'completed' })).value!,
  );
  const start = workTime();
  for (const update of updates) player.session.applyUpdate(update);
  expect(player.session.thread.entries.length).toBe(10_000);
  expect(workTime() - start).toBeLessThan(5_000);
});

it.each<[name: string, updates: readonly (object | 'form')[], subagent: string | undefined]>([
  ['the open one', [call({ title: 'Ask', ...of('a') })], 'A'],
  [
    'the newest',
    [call({ title: 'Ask', status: 'completed', ...of('a') }), call({ title: 'Ask more', ...of('b') })],
    'B',
  ],
  [
    'the next, which is announced later',
    [
      call({ title: 'Ask', status: 'completed', ...of('a') }),
      'form',
      call({ title: 'Ask more', rawInput: { more: 1 }, ...of('b') }),
    ],
    'B',
  ],
  ['none, as far as is known', [call({ title: 'Ask', status: 'completed', ...of('a') })], undefined],
])('a form belongs to %s of the calls of an id', async (_name, updates, subagent) => {
  const player = new ScenarioPlayer();
  const ask = () =>
    void player.session.elicitations.request(
      'Which?',
      { mode: 'form', form: { fields: [] } },
      'bash:0',
      neverCancelled,
    );
  for (const id of ['a', 'b'])
    await player.play({ update: { ...call({ title: id.toUpperCase(), status: 'in_progress' }), toolCallId: id } });
  for (const update of updates) {
    if (update === 'form') ask();
    else await player.play({ update });
  }
  if (player.session.thread.waiting.length === 0) ask();
  expect(pendingQuestions(player.session.thread, '/work')[0]!.subagent).toBe(subagent);
});
