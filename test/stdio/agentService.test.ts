import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CancellationSource, type CancellationToken, neverCancelled } from '../../src/base/cancellation';
import { silentLogger } from '../../src/base/log';
import { type AgentEnd, AgentService, answerMs } from '../../src/host/agents/agentService';
import { secretlessLog } from '../../src/host/platform/secretlessLog';
import { childEnvironment } from '../../src/node/environment';
import { sessionRouter } from '../fakes/sessionRouter';
import { fakeAgentFile, isAlive, temporaryFolder, text } from './harness';
import { waitUntil } from './waitUntil';

vi.mock('vscode', async () => ({
  ...(await import('../fakes/fakeVscode')),
  workspace: { isTrusted: true, getConfiguration: () => ({ inspect: () => undefined }) },
}));

/** Fake agents as the extension host starts them. */
function scene(options: object = {}, args: readonly string[] = [fakeAgentFile], branch?: string) {
  const folder = temporaryFolder();
  const env = {
    ...childEnvironment(process.env),
    FAKE_AGENT_LOG: join(folder, 'wire.ndjson'),
    FAKE_AGENT_OPTIONS: JSON.stringify(options),
  };
  const configuration = { name: 'Fake', command: process.execPath, args, env: {}, capabilities: {} };
  const pids: number[] = [];
  const log = secretlessLog(
    {
      ...silentLogger,
      info: (line: string) => void pids.push(...[...line.matchAll(/\(pid (\d+)\)/g)].map(([, pid]) => Number(pid))),
    },
    () => [],
  );
  const service = new AgentService(
    (routeKey) => sessionRouter().handlersFor(routeKey),
    '0',
    log,
    async () => ({ prepare: async () => ({ configuration, env }) }),
    undefined,
    (at) => (at === folder ? branch : undefined),
  );
  onTestFinished(async () => {
    await service.stopAll();
    service.dispose();
  });
  const ends: AgentEnd[] = [];
  service.onDidEnd((end) => ends.push(end));
  return {
    folder,
    pids,
    ends,
    start: (token: CancellationToken = neverCancelled) => service.start(configuration, folder, token),
    service,
  };
}

test('what an agent prints while it is stuck is known: its stderr, and lines on stdout that are no messages', async () => {
  const printing = `process.stderr.write('Fetching the model\\n'); process.stdout.write('Open https://example.com to go on\\n'); process.stdin.resume();`;
  const { service, start } = scene({}, ['-e', printing]);
  const cancel = new CancellationSource();
  const starting = start(cancel.token);
  await waitUntil('it has printed both', () => service.printed('Fake')?.split('\n').length === 2);
  expect(service.printed('Fake')?.split('\n').toSorted()).toEqual([
    'Fetching the model',
    'Open https://example.com to go on',
  ]);
  cancel.cancel();
  await expect(starting).rejects.toMatchObject({ isCancellation: true });
});

test('an agent that never answers is ended after five minutes, and its output says why', async () => {
  const { service, start, pids } = scene({}, ['-e', `process.stderr.write('Waiting\\n'); process.stdin.resume();`]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const failed = start().catch((error: unknown) => error);
  while (service.printed('Fake') !== 'Waiting') await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(answerMs);
  vi.useRealTimers();
  expect(await failed).toMatchObject({
    title: 'Fake did not answer',
    detail: 'It was started, but did not answer in 5 minutes. Run “Parley: Check Agent…” to see why.',
    stderr: expect.stringContaining('Waiting'),
  });
  await waitUntil('its process to be gone', () => !isAlive(pids[0]!));
});

describe('a folder that is gone', () => {
  test.each([
    ['deleted', (folder: string) => rmSync(folder, { recursive: true }), 'The folder {} does not exist.'],
    [
      'replaced by a file',
      (folder: string) => (rmSync(folder, { recursive: true }), writeFileSync(folder, '')),
      '{} is not a folder.',
    ],
  ])('is named, and the program is not blamed: %s', async (_, goes, words) => {
    for (const isRunning of [false, true]) {
      const { folder, start } = scene();
      if (isRunning) await start();
      goes(folder);
      await expect(start()).rejects.toMatchObject({
        title: 'Fake could not be started',
        detail: `${words.replace('{}', folder)} It was moved or deleted. Restore it, or open another folder.`,
        actions: ['openFolder', 'restart'],
      });
    }
  });
});

test('of a worktree that is gone, it is said what brings the session back', async () => {
  const { folder, start } = scene({}, [fakeAgentFile], 'fix-it');
  rmSync(folder, { recursive: true });
  await expect(start()).rejects.toMatchObject({
    title: 'Fake could not be started',
    detail: `The folder ${folder} does not exist. It was in the worktree fix-it. Remove it in the list of worktrees. The session then continues in your folder.`,
    actions: ['showWorktrees', 'restart'],
  });
});

describe('the next start of an agent', () => {
  test.each([
    ['whose link broke while its process goes on', '@@CLOSESTDOUT'],
    ['that has ended by itself', '@@DIE 3'],
  ])('waits for the end of one %s, and for the word of it', async (_, directive) => {
    const { folder, pids, ends, start, service } = scene({ ignoreStdinEnd: true });
    const first = await start();
    const { sessionId } = await first.connection.newSession({ cwd: folder, mcpServers: [] });
    await expect(first.connection.prompt(sessionId, text(directive))).rejects.toThrow();
    await waitUntil('it counts as running no more', () => service.running('Fake') !== first);
    const second = await start();
    expect(ends.map(({ agent, expected }) => [agent === first, expected])).toEqual([[true, false]]);
    expect(pids.map(isAlive)).toEqual([false, true]);
    expect(second).not.toBe(first);
  });

  test('can be cancelled while it waits for that end', async () => {
    const { pids, start, service } = scene({ ignoreStdinEnd: true });
    await start();
    const stopped = service.stop('Fake');
    const cancel = new CancellationSource();
    const starting = start(cancel.token);
    cancel.cancel();
    await expect(starting).rejects.toMatchObject({ isCancellation: true });
    expect(pids.map(isAlive)).toEqual([true]);
    await stopped;
  });
});
