import { expect, it, vi } from 'vitest';
import { nothingOffered } from '../../../../src/acp/decodeOptions';
import type { OpenedSession } from '../../../../src/acp/agentConnection';
import { Deferred } from '../../../../src/base/deferred';
import { silentLogger } from '../../../../src/base/log';
import { historyTold } from '../../../../src/host/sessions/sessionHistory';
import { SessionConnection } from '../../../../src/host/sessions/sessionConnection';
import { Session } from '../../../../src/thread/session';
import { connectionWith, runningAgent } from '../../../fakes/runningAgent';
import { sessionServices } from '../../../fakes/sessionServices';
import { decodeUpdate } from '../../../../src/acp/decodeUpdate';

vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  workspace: { isTrusted: true, workspaceFolders: undefined },
}));

/** A session that joins an agent whose options take until they are `set`. */
function scene() {
  const optionsSet: Deferred<void>[] = [];
  let count = 0;
  const agent = runningAgent(
    connectionWith({ newSession: async () => ({ sessionId: `s${++count}`, ...nothingOffered }) }),
  );
  const ends = { running: true };
  const services = sessionServices({
    processes: { running: () => (ends.running ? agent : undefined), start: async () => agent },
    opening: {
      options: {
        apply: () => {
          const set = new Deferred<void>();
          optionsSet.push(set);
          return set.promise;
        },
      },
    },
  });
  const { clock } = services;
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
  expect([session.sessionId, joined.runningAgent, services.agents.router.serves('A#1')]).toEqual(['s2', agent, true]);
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
  const opening = new Deferred<OpenedSession>();
  const { clock } = services;
  const { router } = services.agents;
  let isLoading = false;
  Object.assign(agent, {
    features: { ...agent.features, loadSession: true },
    connection: connectionWith({ loadSession: () => ((isLoading = true), opening.promise) }),
  });
  services.storage.index.put({
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
  opening.resolve({ sessionId: 'theirs', ...nothingOffered, configOptions: [] });
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
  expect([services.storage.index.get('ours')?.remoteId, joined.awaitsHistory]).toEqual([undefined, false]);
  joined.dispose();
});
