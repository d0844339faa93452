import { expect, it, vi } from 'vitest';
import type { OpenedSession } from '../../../../src/acp/agentConnection';
import { nothingOffered } from '../../../../src/acp/decodeOptions';
import { decodeUpdate } from '../../../../src/acp/decodeUpdate';
import { neverCancelled } from '../../../../src/base/cancellation';
import { Deferred } from '../../../../src/base/deferred';
import { silentLogger } from '../../../../src/base/log';
import { openSession } from '../../../../src/host/sessions/openSession';
import type { ThreadAction } from '../../../../src/thread/actions';
import { threadToMarkdown } from '../../../../src/thread/markdown';
import { Session } from '../../../../src/thread/session';
import { replay } from '../../../../src/thread/replay';
import { FakeClock } from '../../../fakes/fakeClock';
import { connectionWith, runningAgent } from '../../../fakes/runningAgent';
import { sessionRouter } from '../../../fakes/sessionRouter';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const user = (text: string) => ({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text } });
const say = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const think = (text: string) => ({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } });
const call = (toolCallId: string, title: string, status = 'completed') => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title,
  kind: 'read',
  status,
});
const ended = (toolCallId: string) => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  status: 'completed',
  content: [{ type: 'content', content: { type: 'text', text: 'from the replay' } }],
});
const plan = { sessionUpdate: 'plan', entries: [{ content: 'OLD-STEP', priority: 'low', status: 'in_progress' }] };

/** Two turns; the second ends with a call. */
const history: ThreadAction[] = [
  { type: 'turn/started', at: 1, turnId: 't1', prompt: [{ type: 'text', text: 'first prompt' }] },
  { type: 'message/chunkAppended', at: 1, role: 'thought', content: { type: 'text', text: 'FIRST thought' } },
  {
    type: 'message/chunkAppended',
    at: 1,
    role: 'agent',
    content: { type: 'text', text: 'FIRST answer, line one\n\nline two' },
  },
  {
    type: 'toolCall/patched',
    at: 1,
    fields: { toolCallId: 'c0', title: 'Read a.txt', kind: 'read', status: 'completed' },
  },
  { type: 'message/chunkAppended', at: 1, role: 'agent', content: { type: 'text', text: 'FIRST end' } },
  { type: 'turn/ended', at: 1, turnId: 't1', stopReason: 'end_turn' },
  { type: 'turn/started', at: 1, turnId: 't2', prompt: [{ type: 'text', text: 'go on' }] },
  { type: 'message/chunkAppended', at: 1, role: 'agent', content: { type: 'text', text: 'OK' } },
  {
    type: 'toolCall/patched',
    at: 1,
    fields: { toolCallId: 'c1', title: 'Read b.txt', kind: 'read', status: 'completed' },
  },
  { type: 'turn/ended', at: 1, turnId: 't2', stopReason: 'end_turn' },
];
const before = threadToMarkdown(replay(history));

const whole = [
  user('first prompt'),
  think('FIRST thought'),
  say('FIRST answer, line one\n\nline two'),
  call('c0', 'Read a.txt'),
  say('FIRST end'),
  user('go on'),
  say('OK'),
  call('c1', 'Read b.txt'),
];
const inPieces = [
  user('first '),
  user('prompt'),
  say('FIRST ans'),
  say('wer, line one'),
  say('\n\nline two'),
  call('c0', 'read', 'pending'),
  ended('c0'),
  say('FIRST'),
  say(' end'),
  user('go on'),
  say('O'),
  say('K'),
  call('c1', 'read', 'pending'),
  ended('c1'),
];
const joined = [
  user('<context>much</context>first prompt'),
  say('FIRST answer, line one line twoFIRST end'),
  plan,
  user('go on'),
  call('other-id', 'Read b.txt'),
  say('OK'),
];
const answersOnly = [
  say('FIRST answer, line one\n\nline two'),
  say('FIRST end'),
  call('c0', 'Read a.txt'),
  say('OK'),
  call('c1', 'Read b.txt'),
];
const endOnly = [user('go on'), say('OK'), call('c1', 'Read b.txt')];

type Moment = 'before' | 'within' | 'after' | 'prompted';

/** Plays a replay around the answer to the request that goes on with the session, then a prompt and its answer. */
async function play(
  method: 'load' | 'resume',
  at: Moment,
  told: readonly object[],
  words = 'next prompt',
  answer: readonly object[] = [say('NEW '), say('answer')],
) {
  const opening = new Deferred<OpenedSession>();
  let isRequested = false;
  const request = () => {
    isRequested = true;
    return opening.promise;
  };
  const connection = connectionWith({ loadSession: request, resumeSession: request });
  const agent = runningAgent(connection, { features: method === 'load' ? { loadSession: true } : { resume: true } });
  const clock = new FakeClock();
  const router = sessionRouter();
  const session = new Session('ours', clock, silentLogger, replay(history));
  const asked = new Deferred<{ stopReason: string }>();
  const hear = (updates: readonly object[]) => {
    for (const update of updates) {
      router.handlersFor('A#1').sessionUpdate('earlier', decodeUpdate(update).value!, clock.now());
      clock.advance(600);
    }
  };
  const open = () =>
    openSession(
      {
        agent,
        session,
        params: { cwd: '/w', mcpServers: [] },
        earlier: { agent: 'A', remoteId: 'earlier', remoteSince: 0 },
        router,
        clock,
        log: silentLogger,
      },
      neverCancelled,
    );
  let isAsked = false;
  const prompt = () => {
    isAsked = true;
    return asked.promise;
  };
  const half = Math.ceil(told.length / 2);
  const turn = session.prompt([{ type: 'text', text: words }], async () => {
    const opened = open();
    await vi.waitFor(() => expect(isRequested).toBe(true));
    if (at === 'before') hear(told);
    if (at === 'within') hear(told.slice(0, half));
    opening.resolve({ sessionId: 'earlier', ...nothingOffered });
    if (at === 'within') hear(told.slice(half));
    let isOpen = false;
    void opened.then(() => (isOpen = true));
    await vi.waitFor(() => {
      clock.advance(250);
      expect(isOpen).toBe(true);
    });
    if (at === 'after') hear(told);
    session.attach({ sessionId: 'earlier', link: { prompt } as never }, nothingOffered);
    return [{ type: 'text', text: words }];
  });
  await vi.waitFor(() => expect(isAsked).toBe(true));
  if (at === 'prompted') hear(told);
  clock.advance(3_500);
  hear(answer);
  asked.resolve({ stopReason: 'end_turn' });
  await turn;
  const text = threadToMarkdown(session.thread);
  expect(text.startsWith(before)).toBe(true);
  return text.slice(before.length).trim();
}

const moments: Moment[] = ['before', 'within', 'after', 'prompted'];
const shapes = { whole, inPieces, joined, endOnly } as const;

it.each(
  (['load', 'resume'] as const).flatMap((method) =>
    moments.flatMap((at) => Object.keys(shapes).map((shape) => [method, at, shape as keyof typeof shapes] as const)),
  ),
)('a replay of %s, %s, %s is not shown twice', async (method, at, shape) => {
  expect(await play(method, at, shapes[shape])).toBe('## User\nnext prompt\n\n## Agent\nNEW answer');
});

it.each(['load', 'resume'] as const)('%s: nor is one without prompts, while nothing was asked', async (method) => {
  for (const at of ['before', 'within', 'after'] as const)
    expect(await play(method, at, answersOnly)).toBe('## User\nnext prompt\n\n## Agent\nNEW answer');
});

it.each(moments)('the same prompt once more is told from a replay (%s)', async (at) => {
  expect(await play('resume', at, whole, 'first prompt')).toBe('## User\nfirst prompt\n\n## Agent\nNEW answer');
});

it.each<[situation: string, prompt: string, answer: object[], shown: string]>([
  ['no replay', 'next', [say('A '), say('B')], '## Agent\nA B'],
  ['the words of an earlier answer', 'next', [say('OK')], '## Agent\nOK'],
  [
    'an echo, and the same answer to the same prompt',
    'first prompt',
    [user('first prompt'), say('FIRST answer, line one\n\nline two')],
    '## Agent\nFIRST answer, line one\n\nline two',
  ],
  [
    'an echo, and an answer that begins like the earlier one',
    'go on',
    [user('go on'), say('O'), say('f course')],
    '## Agent\nOf course',
  ],
  [
    'an id of an earlier call',
    'next',
    [call('c0', 'Read c.txt'), say('done')],
    '## Tool: Read c.txt\nread, completed\n\n## Agent\ndone',
  ],
])('what is new is shown: %s', async (_, prompt, answer, shown) => {
  for (const method of ['load', 'resume'] as const)
    expect(await play(method, 'before', [], prompt, answer)).toBe(`## User\n${prompt}\n\n${shown}`);
});

it('what the agent says within a replay is not lost', async () => {
  const mixed = [...whole.slice(0, 3), say('NEWS one '), ...whole.slice(3, 5), say('NEWS two '), ...whole.slice(5)];
  expect(await play('resume', 'prompted', mixed)).toBe(
    '## User\nnext prompt\n\n## Agent\nNEWS one NEWS two NEW answer',
  );
});

it('a plan of a replay is no plan now', async () => {
  expect(await play('resume', 'prompted', joined)).not.toContain('OLD-STEP');
});
