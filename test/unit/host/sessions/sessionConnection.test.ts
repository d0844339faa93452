import { expect, it, vi } from 'vitest';
import { noQuirks } from '../../../../src/acp/quirks';
import { Deferred } from '../../../../src/base/deferred';
import { silentLogger } from '../../../../src/base/log';
import { historyTold } from '../../../../src/host/sessions/listedHistory';
import { SessionConnection, type SessionConnectionServices } from '../../../../src/host/sessions/sessionConnection';
import { SessionIndex } from '../../../../src/host/sessions/sessionIndex';
import { SessionRouter } from '../../../../src/host/sessions/sessionRouter';
import { Session } from '../../../../src/thread/session';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';
import { decodeUpdate } from '../../../../src/acp/decodeUpdate';

vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  workspace: { isTrusted: true, workspaceFolders: undefined },
}));

/** A session that joins an agent whose options take until they are `set`. */
function scene() {
  const never = () => ({ dispose: () => undefined });
  const optionsSet: Deferred<void>[] = [];
  let count = 0;
  const connection = { newSession: async () => ({ sessionId: `s${++count}` }) };
  const agent = { configuration: { name: 'A' }, features: {}, quirks: noQuirks, connection, routeKey: 'A#1' };
  const clock = new FakeClock();
  const unused = {} as never;
  const ends = { running: true };
  const services = {
    clock,
    log: silentLogger,
    router: new SessionRouter(unused, unused, silentLogger),
    index: new SessionIndex(new MemoryState()),
    agents: {
      running: () => (ends.running ? agent : undefined),
      start: async () => agent,
      stop: async () => undefined,
      onDidProgress: never,
      takeRemark: () => undefined,
    },
    agentNamed: () => ({ name: 'A' }),
    mayStartIn: () => true,
    setup: { prepare: async () => ({ params: {}, setup: {} }) },
    signIn: { clock, log: silentLogger, done: { event: never } },
    options: {
      apply: () => {
        const set = new Deferred<void>();
        optionsSet.push(set);
        return set.promise;
      },
    },
  } as unknown as SessionConnectionServices;
  const session = new Session('ours', clock, silentLogger);
  const joined = new SessionConnection({ id: 'ours', agent: 'A', cwd: '/w', roots: ['/w'] }, session, services);
  return { agent, optionsSet, services, session, joined, ends };
}

it('a start that is called off while its options are set leaves its session at once, and not the one that is joined next', async () => {
  const { agent, optionsSet, services, session, joined } = scene();
  const first = joined.tryAttach();
  await vi.waitFor(() => expect(optionsSet).toHaveLength(1), 20_000);
  joined.callOff();
  expect(await first).toBe(false);
  const second = joined.tryAttach();
  await vi.waitFor(() => expect(optionsSet).toHaveLength(2), 20_000);
  optionsSet[1]!.resolve();
  expect(await second).toBe(true);
  optionsSet[0]!.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect([session.sessionId, joined.runningAgent, services.router.serves('A#1')]).toEqual(['s2', agent, true]);
  joined.dispose();
});

it.each([true, false])(
  'an agent that ends while its session is opened is no session that is ready, and says why where that is known: %s',
  async (isTold) => {
    const { agent, optionsSet, session, joined, ends } = scene();
    const attached = joined.tryAttach();
    await vi.waitFor(() => expect(optionsSet).toHaveLength(1), 20_000);
    ends.running = false;
    if (isTold)
      joined.handleAgentEnd({
        agent,
        exit: { code: 3, signal: null, stderr: 'out of memory' },
        expected: false,
      } as never);
    optionsSet[0]!.resolve();
    expect(await attached).toBe(false);
    expect(joined.view).toMatchObject(
      isTold ? { state: 'failed', title: 'A ended unexpectedly', stderr: 'out of memory' } : { state: 'failed' },
    );
    expect(session.sessionId).toBeUndefined();
    joined.dispose();
  },
);

const told = [
  { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'Earlier' } },
  { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Answer' } },
];

it.each<[situation: string, before: number, gapMs: number]>([
  ['before the answer', 2, 0],
  ['after it, at once', 0, 10],
  ['after it, with pauses', 0, 600],
  ['on both sides of it', 1, 100],
])('a message waits until the history of a listed session is told: %s', async (_situation, before, gapMs) => {
  const { agent, services, session, joined } = scene();
  const opening = new Deferred<object>();
  const { clock, router } = services as unknown as { clock: FakeClock; router: SessionRouter };
  let isLoading = false;
  Object.assign(agent, {
    features: { loadSession: true },
    connection: { loadSession: () => ((isLoading = true), opening.promise) },
  });
  services.index.put({
    id: 'ours',
    agent: 'A',
    cwd: '/w',
    createdAt: 0,
    updatedAt: 0,
    title: 'Listed',
    remoteId: 'theirs',
  });
  const hear = (update: object) =>
    router.handlersFor('A#1').sessionUpdate('theirs', decodeUpdate(update).value!, clock.now());
  expect(joined.awaitsHistory).toBe(true);
  let isTold = false;
  const waiting = historyTold(joined, session, clock).then((isAttached) => (isTold = isAttached));
  await vi.waitFor(() => expect(isLoading).toBe(true), 20_000);
  told.slice(0, before).forEach(hear);
  expect(joined.awaitsHistory).toBe(true);
  opening.resolve({ configOptions: [] });
  await vi.waitFor(() => expect(joined.runningAgent).toBe(agent), 20_000);
  for (const update of told.slice(before)) {
    clock.advance(gapMs);
    await new Promise((resolve) => setImmediate(resolve));
    if (session.thread.entries.length === 0) expect(isTold).toBe(false);
    hear(update);
  }
  await vi.waitFor(() => {
    clock.advance(250);
    expect(isTold).toBe(true);
  }, 20_000);
  await waiting;
  expect([session.thread.entries.length, joined.awaitsHistory]).toEqual([2, false]);
  joined.dispose();
});

it('a message to a new session, or to one that is here, waits for no history', async () => {
  const { services, optionsSet, joined } = scene();
  expect(joined.awaitsHistory).toBe(false);
  const attached = joined.tryAttach();
  await vi.waitFor(() => expect(optionsSet).toHaveLength(1), 20_000);
  expect(joined.awaitsHistory).toBe(false);
  optionsSet[0]!.resolve();
  await attached;
  expect([services.index.get('ours')?.remoteId, joined.awaitsHistory]).toEqual([undefined, false]);
  joined.dispose();
});
