import { expect, it, vi } from 'vitest';
import { nothingOffered } from '../../../../src/acp/decodeOptions';
import { neverCancelled, rejectsWhenCancelled, type CancellationToken } from '../../../../src/base/cancellation';
import { silentLogger } from '../../../../src/base/log';
import { StartFailure } from '../../../../src/host/agents/startFailure';
import { SessionConnection } from '../../../../src/host/sessions/sessionConnection';
import { slowAfterMs, unreadAfterMs } from '../../../../src/host/sessions/slowStart';
import { Session } from '../../../../src/thread/session';
import { FakeClock } from '../../../fakes/fakeClock';
import { connectionWith, runningAgent } from '../../../fakes/runningAgent';
import { sessionServices } from '../../../fakes/sessionServices';

vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  workspace: { isTrusted: true, workspaceFolders: undefined },
}));

/** A prompt that waits for an agent that is stuck `at` a step of its start, the first time. */
function scene(at: 'start' | 'open') {
  const clock = new FakeClock();
  const stopped: unknown[] = [];
  const tries = { start: 0, open: 0 };
  const hangs = (step: 'start' | 'open', token: CancellationToken = neverCancelled) =>
    ++tries[step] === 1 && at === step ? rejectsWhenCancelled(token, StartFailure.cancelled) : undefined;
  const printed: { text?: string; unread?: number } = {};
  const agent = runningAgent(
    connectionWith({
      newSession: async (_, token) => {
        await hangs('open', token);
        return { sessionId: `s${tries.open}`, ...nothingOffered };
      },
    }),
  );
  const services = sessionServices({
    clock,
    processes: {
      running: () => agent,
      start: async (_, __, token) => {
        await hangs('start', token);
        return agent;
      },
      stop: async (...args) => void stopped.push(args),
      printed: () => printed.text,
      unread: () => printed.unread ?? 0,
    },
  });
  const session = new Session('ours', clock, silentLogger);
  const connection = new SessionConnection({ id: 'ours', agent: 'A', cwd: '/w', roots: ['/w'] }, session, services);
  const attached = connection.attach();
  return { clock, session, connection, attached, printed, stopped, tries };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

it.each(['start', 'open'] as const)(
  'a start that is stuck (%s) offers help after a minute, with what the agent printed, and starts anew for what waits',
  async (at) => {
    const { clock, connection, attached, printed, stopped, tries } = scene(at);
    await vi.waitFor(() => expect(tries[at]).toBe(1));
    clock.advance(slowAfterMs - 1);
    expect(connection.view).not.toHaveProperty('isSlow');
    clock.advance(1_000);
    expect(connection.view).toMatchObject({ state: 'starting', isSlow: true });
    printed.text = 'Waiting for a login in the browser';
    clock.advance(1_000);
    expect(connection.view).toMatchObject({ isSlow: true, output: 'Waiting for a login in the browser' });
    expect(connection.startAgain()).toBe(true);
    // The prompt still waits, and the next start is not slow.
    expect((await attached).routeKey).toBe('A#1');
    expect([tries[at], connection.view, stopped.length > 0]).toEqual([2, { state: 'ready' }, true]);
    clock.advance(2 * slowAfterMs);
    expect([connection.view, connection.startAgain()]).toEqual([{ state: 'ready' }, false]);
    connection.dispose();
  },
);

it('a start that waits for the user is not stuck', async () => {
  const { clock, session, connection, attached } = scene('start');
  attached.catch(() => undefined);
  const wait = session.waitFor('Sign in');
  clock.advance(3 * slowAfterMs);
  expect(connection.view).not.toHaveProperty('isSlow');
  wait.dispose();
  clock.advance(slowAfterMs - 2_000);
  expect(connection.view).not.toHaveProperty('isSlow');
  clock.advance(3_000);
  expect(connection.view).toHaveProperty('isSlow', true);
  connection.callOff();
  await soon();
  await expect(attached).rejects.toThrow();
  expect(connection.view).toEqual({ state: 'idle' });
  connection.dispose();
});

it('a start says soon that lines of the agent could not be read, and no more once it was answered', async () => {
  const { clock, connection, attached, printed } = scene('start');
  attached.catch(() => undefined);
  Object.assign(printed, { text: '{"jsonrpc":"2.0","id":1,"resu', unread: 1 });
  clock.advance(unreadAfterMs - 1);
  expect(connection.view).not.toHaveProperty('unread');
  clock.advance(1_000);
  expect(connection.view).toMatchObject({ state: 'starting', unread: 1, output: '{"jsonrpc":"2.0","id":1,"resu' });
  expect(connection.view).not.toHaveProperty('isSlow');
  delete printed.unread;
  clock.advance(1_000);
  expect(connection.view).not.toHaveProperty('unread');
  connection.callOff();
  await soon();
  connection.dispose();
});
