import { expect, it, vi } from 'vitest';
import { LiveSession } from '../../../../src/host/sessions/liveSession';
import { readExport } from '../../../../src/thread/readExport';
import { MemoryState } from '../../../fakes/memoryState';
import { sessionServices } from '../../../fakes/sessionServices';

vi.mock('vscode', async () => ({ ...(await import('../../../fakes/fakeVscode')), workspace: { isTrusted: true } }));

it('an imported session starts no agent, sends nothing and leaves nothing behind, whatever is asked of it', async () => {
  const done: string[] = [];
  const did = (what: string) => () => void done.push(what);
  const state = new MemoryState();
  const services = sessionServices({
    storage: { state },
    transcripts: { begin: did('begin'), append: did('append') },
    prompts: {
      shown: () => (done.push('shown'), []),
      build: async () => (done.push('build'), []),
      lastOf: () => ({ text: 'again', mentions: [], attachments: [] }),
    },
    turns: { begin: async () => did('disk')() },
    processes: { start: ({ name }) => (done.push('start'), Promise.reject(new Error(name))) },
  });
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
  expect([done, state.keys(), live.connection.view, live.queue.list, live.title]).toEqual([
    [],
    [],
    { state: 'idle' },
    [],
    'Greet',
  ]);
  live.dispose();
});
