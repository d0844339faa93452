import { expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { LiveSession, type LiveSessionServices } from '../../../../src/host/sessions/liveSession';
import { OptionMemory } from '../../../../src/host/sessions/optionMemory';
import { readExport } from '../../../../src/thread/readExport';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';

vi.mock('vscode', async () => ({ ...(await import('../../../fakes/fakeVscode')), workspace: { isTrusted: true } }));

it('an imported session starts no agent, sends nothing and leaves nothing behind, whatever is asked of it', async () => {
  const done: string[] = [];
  const did = (what: string) => () => void done.push(what);
  const services = {
    clock: new FakeClock(),
    log: silentLogger,
    state: new MemoryState(),
    options: new OptionMemory(new MemoryState(), new FakeClock(), silentLogger),
    transcripts: { begin: did('begin'), append: did('append') },
    index: { get: () => undefined, put: did('put'), patch: did('patch') },
    prompts: {
      shown: did('shown'),
      build: did('build'),
      lastOf: () => ({ text: 'again', mentions: [], attachments: [] }),
    },
    disk: { begin: did('disk'), sent: () => undefined, act: () => undefined, end: () => undefined },
    agents: {
      start: did('start'),
      running: () => undefined,
      onDidProgress: did('progress'),
      onDidEnd: () => ({ dispose: () => undefined }),
    },
    agentNamed: () => ({ name: 'Demo' }),
    mayStartIn: () => true,
    problemOf: () => undefined,
    router: {},
    signIn: { done: new Emitter() },
  } as unknown as LiveSessionServices;
  const at = '2026-11-22T08:00:00.000Z';
  const { thread, agent, exportedAt } = readExport(
    JSON.stringify({
      format: 'parley.session',
      version: 1,
      exportedAt: at,
      title: 'Greet',
      agent: 'Demo',
      entries: [{ type: 'prompt', at, content: [{ type: 'text', text: 'hi' }] }],
    }),
  );
  const live = new LiveSession(
    {
      id: 'local',
      agent: '',
      cwd: '/p',
      roots: ['/p'],
      imported: { agent, exportedAt },
      stored: { thread, createdAt: exportedAt, terminals: [] },
    },
    services,
  );
  await live.submit({ text: 'go', mentions: [], attachments: [] });
  await live.retry();
  live.announceRestart();
  expect(await live.connection.tryAttach()).toBe(false);
  live.session.notify({ severity: 'info', title: 'said' });
  await live.close();
  expect([done, live.connection.view, live.queue.list, live.title]).toEqual([[], { state: 'idle' }, [], 'Greet']);
  live.dispose();
});
