import { expect, it, vi } from 'vitest';
import { noQuirks } from '../../../../src/acp/quirks';
import { Deferred } from '../../../../src/base/deferred';
import { silentLogger } from '../../../../src/base/log';
import { SessionConnection, type SessionConnectionServices } from '../../../../src/host/sessions/sessionConnection';
import { SessionIndex } from '../../../../src/host/sessions/sessionIndex';
import { SessionRouter } from '../../../../src/host/sessions/sessionRouter';
import { Session } from '../../../../src/thread/session';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';

vi.mock('vscode', async () => ({ ...(await import('../../../fakes/fakeVscode')), workspace: { isTrusted: true, workspaceFolders: undefined } }));

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
    agents: { running: () => (ends.running ? agent : undefined), start: async () => agent, stop: async () => undefined, onDidProgress: never, takeRemark: () => undefined },
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

it.each([true, false])('an agent that ends while its session is opened is no session that is ready, and says why where that is known: %s', async (isTold) => {
  const { agent, optionsSet, session, joined, ends } = scene();
  const attached = joined.tryAttach();
  await vi.waitFor(() => expect(optionsSet).toHaveLength(1), 20_000);
  ends.running = false;
  if (isTold) joined.handleAgentEnd({ agent, exit: { code: 3, signal: null, stderr: 'out of memory' }, expected: false } as never);
  optionsSet[0]!.resolve();
  expect(await attached).toBe(false);
  expect(joined.view).toMatchObject(isTold ? { state: 'failed', title: 'A ended unexpectedly', stderr: 'out of memory' } : { state: 'failed' });
  expect(session.sessionId).toBeUndefined();
  joined.dispose();
});
