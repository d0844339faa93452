import { describe, expect, it, vi } from 'vitest';
import { nothingOffered } from '../../../../src/acp/decodeOptions';
import { Deferred } from '../../../../src/base/deferred';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { attentionItem } from '../../../../src/host/attention/attentionItem';
import type { RunningAgent, StartProgress } from '../../../../src/host/agents/agentService';
import { ConversationQuestion } from '../../../../src/host/sessions/conversationChoice';
import { SessionConnection } from '../../../../src/host/sessions/sessionConnection';
import type { SessionOpening } from '../../../../src/host/sessions/sessionServices';
import { Session } from '../../../../src/thread/session';
import { emptyThread, waitsForUser } from '../../../../src/thread/thread';
import { pendingQuestions } from '../../../../src/view/pendingQuestions';
import { badgeOf, stateWords } from '../../../../src/view/attention';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';
import { connectionWith, runningAgent } from '../../../fakes/runningAgent';
import { sessionServices } from '../../../fakes/sessionServices';

vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  workspace: { isTrusted: true, workspaceFolders: undefined },
}));

/** A session in which a turn runs that waits for what comes before the prompt is sent. */
function scene() {
  const clock = new FakeClock();
  const session = new Session('ours', clock, silentLogger);
  const asked: string[] = [];
  session.onDidAsk(({ title }) => asked.push(title));
  void session.prompt([{ type: 'text', text: 'hi' }], () => new Promise(() => undefined));
  return { clock, session, asked };
}

/** A connection of it whose agent starts and opens the session as the test says. */
function connect({ clock, session }: ReturnType<typeof scene>, setup: SessionOpening['setup']) {
  const progress = new Emitter<StartProgress>();
  const started = new Deferred<RunningAgent>();
  const agent = runningAgent(connectionWith({ newSession: async () => ({ sessionId: 's', ...nothingOffered }) }));
  const services = sessionServices({
    clock,
    processes: { running: () => agent, start: () => started.promise, onDidProgress: progress.event },
    opening: { setup },
  });
  const connection = new SessionConnection({ id: 'ours', agent: 'A', cwd: '/w', roots: ['/w'] }, session, services);
  void connection.tryAttach();
  return { progress, start: () => started.resolve(agent) };
}

const empty = { params: {}, setup: {} } as never;

/** Everything that Parley itself asks while a turn waits for it: how it is asked, and how it is answered. */
const questions: readonly (readonly [
  string,
  title: string,
  (scene_: ReturnType<typeof scene>) => Promise<() => unknown>,
])[] = [
  [
    'whether the conversation goes along',
    'Include the earlier conversation?',
    async ({ session }) => {
      const question = new ConversationQuestion(session, new MemoryState());
      void question.ask('Fake');
      return () => question.answer('omit');
    },
  ],
  [
    'what an MCP server needs',
    'Parley: MCP Server git',
    async (s) => {
      const asking = new Deferred<{ dispose(): void }>();
      connect(s, {
        prepare: async (_agent, _place, _token, waitFor) => {
          asking.resolve(waitFor('Parley: MCP Server git'));
          return new Promise(() => undefined);
        },
      }).start();
      const wait = await asking.promise;
      return () => wait.dispose();
    },
  ],
  [
    'whether a script may run',
    'Installation',
    async (s) => {
      const { progress } = connect(s, { prepare: async () => empty });
      progress.fire({ name: 'A', detail: 'Waiting for you', asks: true });
      return () => progress.fire({ name: 'A', detail: 'Downloads' });
    },
  ],
  [
    'for a sign-in',
    'Sign in',
    async ({ session }) => {
      const wait = session.waitFor('Sign in');
      return () => wait.dispose();
    },
  ],
];

describe('what Parley itself asks', () => {
  it.each(questions)('makes its session wait for the user, and not work: %s', async (_, title, ask) => {
    const s = scene();
    const { session, clock, asked } = s;
    const item = () =>
      attentionItem({ agent: 'A', cwd: '/w', session, title: undefined, unread: false, hasFailed: false });
    expect([item().waiting, stateWords([item()])]).toEqual([[], '1 running']);
    const startedAt = session.thread.turn!.startedAt;
    const answer = await ask(s);
    expect([item().waiting, stateWords([item()]), badgeOf([item()]).value, asked]).toEqual([
      [title],
      '1 waiting',
      1,
      [title],
    ]);
    clock.advance(118_000);
    await answer();
    expect([item().waiting, stateWords([item()]), waitsForUser(session.thread)]).toEqual([[], '1 running', false]);
    // The clock of the turn did not count.
    expect([session.thread.turn?.startedAt, session.thread.turn?.waited]).toEqual([startedAt, { ms: 118_000 }]);
  });

  it('is a question in the conversation where its notice is, in the order of the requests of the agent', () => {
    const { session } = scene();
    void new ConversationQuestion(session, new MemoryState()).ask('Fake');
    expect(pendingQuestions(session.thread, '/w')).toMatchObject([
      { kind: 'own', entryId: 'e1', title: 'Include the earlier conversation?' },
    ]);
    expect(pendingQuestions({ ...emptyThread, asks: [{ requestId: 'o', title: 'Sign in', at: 0 }] }, '/w')).toEqual([]);
  });
});
