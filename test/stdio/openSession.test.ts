import { describe, expect, onTestFinished, test } from 'vitest';
import { agentFeatures } from '../../src/acp/capabilities';
import { noQuirks, type Quirks } from '../../src/acp/quirks';
import { neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import type { Clock } from '../../src/base/scheduler';
import { openSession, type OpenRequest } from '../../src/host/sessions/openSession';
import { runningAgent } from '../fakes/runningAgent';
import { sessionRouter } from '../fakes/sessionRouter';
import { threadToMarkdown } from '../../src/thread/markdown';
import { Session } from '../../src/thread/session';
import { emptyThread } from '../../src/thread/thread';
import { reduce } from '../../src/thread/reducer';
import type { Options } from '../fakes/agent/options.mjs';
import { startLink, text } from './harness';
import { waitUntil } from './waitUntil';

const clock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};
const chunk = (role: 'user' | 'agent', words: string) => ({
  sessionUpdate: `${role}_message_chunk`,
  content: { type: 'text', text: words },
});
const said = {
  type: 'message/chunkAppended',
  at: 1,
  role: 'agent',
  content: { type: 'text', text: 'what is here' },
} as const;
const capabilities = (fields: object) => ({ initializePatch: { agentCapabilities: fields } });
const earlier = { agent: 'Fake', remoteId: 'earlier-1', remoteSince: 0 };

/** Opens a session on a fake agent that had one before. @param here the thread has something in it already. */
async function open(agent: Options, here: boolean, quirks: Quirks = noQuirks, known: OpenRequest['earlier'] = earlier) {
  const router = sessionRouter();
  const link = startLink({ agent, handlers: router.handlersFor('fake#1', () => undefined) });
  const features = await link.connection.initialize();
  const running = runningAgent(link.connection, { name: 'Fake', features, quirks, routeKey: 'fake#1' });
  const session = new Session('ours', clock, silentLogger, here ? reduce(emptyThread, said) : emptyThread);
  onTestFinished(() => session.dispose());
  const outcome = await openSession(
    {
      agent: running,
      session,
      params: { cwd: link.folder, mcpServers: [] },
      earlier: known,
      router,
      clock,
      log: silentLogger,
    },
    neverCancelled,
  );
  const methods = () => link.sent().flatMap((message) => (message['method'] ? [String(message['method'])] : []));
  return { link, session, outcome, methods, thread: () => threadToMarkdown(session.thread) };
}

describe('going on with a session', () => {
  test('59 what is replayed before the answer is shown in order', async () => {
    const { outcome, thread, session } = await open(
      { ...capabilities({ loadSession: true }), replay: [chunk('user', 'question'), chunk('agent', 'answer')] },
      false,
    );
    expect(outcome.how).toBe('loaded');
    expect(thread()).toBe('## User\nquestion\n\n## Agent\nanswer');
    expect(session.sessionId).toBe('earlier-1');
  });

  test.each(['null', 'missing'] as const)('59 an answer to load that is %s ends the loading', async (voidResult) => {
    const { outcome } = await open(
      { ...capabilities({ loadSession: true }), voidResult, replay: [chunk('agent', 'answer')] },
      false,
    );
    expect(outcome.how).toBe('loaded');
  });

  test('60 what is replayed after the answer is shown too, and a prompt goes out', async () => {
    const { session, thread, link } = await open(
      {
        ...capabilities({ loadSession: true }),
        replay: [chunk('user', 'question')],
        replayLate: [chunk('agent', 'answer')],
      },
      false,
    );
    await waitUntil('the late replay', () => thread().endsWith('answer'));
    await session.prompt(text('@@SAY more'));
    expect(thread()).toContain('more');
    expect(link.sent('session/prompt')).toMatchObject([{ params: { sessionId: 'earlier-1' } }]);
  });

  test('58, 60 a replay of what is on screen already is shown neither before nor after the answer', async () => {
    const { session, thread, link } = await open(
      {
        ...capabilities({ loadSession: true }),
        replay: [chunk('agent', 'twice')],
        replayLate: [chunk('agent', 'twice again')],
      },
      true,
    );
    expect(link.sent('session/load')).toMatchObject([
      { params: { sessionId: 'earlier-1', cwd: link.folder, mcpServers: [] } },
    ]);
    await session.prompt(text('@@SAY new'));
    expect(thread()).toMatch(/^## Agent\nwhat is here\n\n## User\n@@SAY new\n\n## Agent\nnew$/);
  });

  test('57, 62 resume goes before load where the thread is here, and nothing is there twice', async () => {
    const { outcome, thread, methods } = await open(
      {
        ...capabilities({ loadSession: true, sessionCapabilities: { resume: {} } }),
        replay: [chunk('agent', 'twice')],
      },
      true,
    );
    expect(outcome.how).toBe('resumed');
    expect(methods()).toEqual(['initialize', 'session/resume']);
    expect(thread()).toBe('## Agent\nwhat is here');
  });

  test('56, 57 without either capability a new session is opened', async () => {
    const { outcome, methods } = await open(
      capabilities({ loadSession: 'true', sessionCapabilities: { resume: null } }),
      true,
    );
    expect(outcome.how).toBe('new');
    expect(methods()).toEqual(['initialize', 'session/new']);
  });

  test('61 when the load fails a new session is opened, and updates of the old one go nowhere', async () => {
    const { outcome, methods, session } = await open(
      { ...capabilities({ loadSession: true }), loadError: { code: -32603, message: 'Invalid session identifier' } },
      true,
    );
    expect(outcome.how).toBe('new');
    expect(methods()).toEqual(['initialize', 'session/load', 'session/new']);
    expect(session.sessionId).toBe('fake-1');
  });

  test('54 the id of another agent is never used', async () => {
    const { methods } = await open(capabilities({ loadSession: true }), true, noQuirks, {
      ...earlier,
      agent: 'Another',
    });
    expect(methods()).toEqual(['initialize', 'session/new']);
  });

  test('an agent that loses sessions which are loaded in their first minute is not asked to', async () => {
    const { methods } = await open(
      capabilities({ loadSession: true }),
      true,
      { ...noQuirks, loadsOnlyAfterMinute: true },
      { ...earlier, remoteSince: Date.now() + 60_000 },
    );
    expect(methods()).toEqual(['initialize', 'session/new']);
  });
});

describe('what is not stable in the protocol', () => {
  const fork = { agent: 'Fake', forkOf: 'source-1' } as const;

  test('57 a fork is made of the other session where the agent offers it, and what is here stays', async () => {
    const { outcome, methods, thread, session, link } = await open(
      capabilities({ sessionCapabilities: { fork: {} } }),
      true,
      noQuirks,
      fork,
    );
    expect(outcome).toMatchObject({ how: 'forked', sessionId: 'fake-1' });
    expect(link.sent('session/fork').map((message) => message['params'])).toEqual([
      { sessionId: 'source-1', cwd: link.folder, mcpServers: [] },
    ]);
    expect([methods(), thread()]).toEqual([['initialize', 'session/fork'], '## Agent\nwhat is here']);
    await session.prompt(text('@@SAY on'));
    expect(link.sent('session/prompt')).toMatchObject([{ params: { sessionId: 'fake-1' } }]);
  });

  test('57 without the capability a fork is a new session', async () => {
    const { outcome, methods } = await open(capabilities({}), true, noQuirks, fork);
    expect([outcome.how, methods()]).toEqual(['new', ['initialize', 'session/new']]);
  });

  test('57 an archived session is brought back before it is opened, where the agent can archive', async () => {
    const archived = { ...earlier, isArchived: true };
    const { methods } = await open(
      capabilities({ loadSession: true, sessionCapabilities: { archive: {} } }),
      false,
      noQuirks,
      archived,
    );
    expect(methods()).toEqual(['initialize', 'session/unarchive', 'session/load']);
    expect((await open(capabilities({ loadSession: true }), false, noQuirks, archived)).methods()).toEqual([
      'initialize',
      'session/load',
    ]);
  });

  test('57 a title is as the agent stored it; archived sessions are listed only where the agent can archive', async () => {
    const pages = [{ sessions: [{ sessionId: 'a', cwd: '/w', archived: true }] }, { sessions: [] }];
    const link = startLink({
      agent: {
        ...capabilities({ sessionCapabilities: { list: {}, title: {}, archive: {} } }),
        longestTitle: 4,
        listPages: pages,
      },
    });
    expect(await link.connection.initialize()).toMatchObject({ setTitle: true, archive: true, fork: false });
    expect(await link.connection.setTitle('a', 'Much too long')).toBe('Much');
    expect((await link.connection.listSessions('/w', undefined, true)).sessions).toEqual([
      { sessionId: 'a', cwd: '/w', isArchived: true },
    ]);
    await link.connection.listSessions('/w');
    expect(link.sent('session/list').map((message) => message['params'])).toEqual([
      { cwd: '/w', archived: 'include' },
      { cwd: '/w' },
    ]);
  });
});

describe('the sessions that an agent lists', () => {
  test('68 are read page by page with the agent’s own cursor; a malformed one is skipped', async () => {
    const pages = [
      {
        sessions: [{ sessionId: 'a', cwd: '/w', title: 'A', updatedAt: '2026-01-02T03:04:05Z' }, { sessionId: 7 }],
        nextCursor: 'next "page"\n',
      },
      { sessions: [{ sessionId: 'b', cwd: '/w', title: null, _meta: { preview: 'first words' } }], nextCursor: null },
    ];
    const link = startLink({ agent: { ...capabilities({ sessionCapabilities: { list: {} } }), listPages: pages } });
    expect((await link.connection.initialize()).list).toBe(true);
    const first = await link.connection.listSessions('/w');
    expect(first).toEqual({
      sessions: [{ sessionId: 'a', cwd: '/w', title: 'A', updatedAt: Date.UTC(2026, 0, 2, 3, 4, 5) }],
      nextCursor: 'next "page"\n',
    });
    expect(await link.connection.listSessions('/w', first.nextCursor)).toEqual({
      sessions: [{ sessionId: 'b', cwd: '/w', title: 'first words' }],
    });
    expect(link.sent('session/list').map((message) => message['params'])).toEqual([
      { cwd: '/w' },
      { cwd: '/w', cursor: 'next "page"\n' },
    ]);
  });

  test('70 a session that is gone already counts as deleted', async () => {
    const link = startLink({
      agent: {
        ...capabilities({ sessionCapabilities: { delete: {} } }),
        deleteError: { code: -32002, message: 'Resource not found' },
      },
    });
    await link.connection.deleteSession(await link.open());
  });

  test('57 list and delete count only as objects', () => {
    const features = (list: unknown) =>
      agentFeatures({ agentCapabilities: { sessionCapabilities: { list, delete: list } } });
    expect([true, null, undefined, 'yes', {}].map((value) => [features(value).list, features(value).delete])).toEqual([
      [false, false],
      [false, false],
      [false, false],
      [false, false],
      [true, true],
    ]);
  });
});
