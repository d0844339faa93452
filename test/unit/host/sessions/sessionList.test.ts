import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentFeatures } from '../../../../src/acp/capabilities';
import { nothingOffered } from '../../../../src/acp/decodeOptions';
import { silentLogger } from '../../../../src/base/log';
import { SessionDeletion, undoMs } from '../../../../src/host/sessions/sessionDeletion';
import { SessionIndex } from '../../../../src/host/sessions/sessionIndex';
import { SessionList } from '../../../../src/host/sessions/sessionList';
import { SessionDirectory } from '../../../../src/host/sessions/sessionDirectory';
import { SessionService } from '../../../../src/host/sessions/sessionService';
import type { ThreadAction } from '../../../../src/thread/actions';
import { replay } from '../../../../src/thread/replay';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';
import { connectionWith, runningAgent } from '../../../fakes/runningAgent';
import { sessionServices } from '../../../fakes/sessionServices';

vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  workspace: { isTrusted: true, onDidGrantWorkspaceTrust: () => ({ dispose: () => undefined }) },
}));

const typed = vi.hoisted(() => ({ text: undefined as string | undefined, prompts: [] as string[] }));
vi.mock('../../../../src/host/platform/markedWindow', () => ({
  markedWindow: {
    showInputBox: async ({ prompt }: { readonly prompt: string }) => {
      typed.prompts.push(prompt);
      return typed.text;
    },
  },
}));

let state: MemoryState;
let clock: FakeClock;
beforeEach(() => {
  state = new MemoryState();
  clock = new FakeClock();
  ended.clear();
  failing.clear();
  Object.assign(typed, { text: undefined, prompts: [] });
});

/** What session a has. */
const asked: readonly ThreadAction[] = [
  { type: 'turn/started', at: 1, turnId: 't', prompt: [{ type: 'text', text: 'Hello\nThe parser is slow' }] },
];
const folder = mkdtempSync(join(tmpdir(), 'sessions-'));
const transcript = join(folder, 'a.ndjson');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A list over an agent that runs, with three sessions here and one there. */
async function open(features: Partial<AgentFeatures> = {}) {
  const calls: unknown[][] = [];
  const listed = {
    sessions: [
      { sessionId: 'r1', cwd: '/w', title: 'Known here' },
      { sessionId: 'r9', cwd: '/w', title: 'Agent only', updatedAt: Date.UTC(2026, 0) },
    ],
    nextCursor: undefined,
  };
  const connection = connectionWith({
    resumeSession: async ({ sessionId }) => ({ sessionId, ...nothingOffered }),
    listSessions: async (...args) => (calls.push(['list', ...args]), listed),
    setTitle: async (id, title) => (calls.push(['setTitle', id, title]), title.slice(0, 8)),
    archiveSession: async (id) => void calls.push(['archive', id]),
    unarchiveSession: async (id) => void calls.push(['unarchive', id]),
    deleteSession: async (id) => void calls.push(['deleteAtAgent', id]),
  });
  const agent = runningAgent(connection, { features: { resume: true, list: true, ...features } });
  const index = new SessionIndex(state);
  if (!index.get('a'))
    for (const [i, id] of ['a', 'b', 'c'].entries())
      index.put({ id, agent: 'A', cwd: '/w', createdAt: 1, updatedAt: i, title: `Title ${id}`, remoteId: `r${i + 1}` });
  const header = { version: 1, id: 'a', agent: 'A', cwd: '/w', createdAt: 1 } as const;
  const services = sessionServices({
    clock,
    storage: { index, state: new MemoryState() },
    transcripts: { read: async () => ({ header, thread: replay(asked), terminals: [], skipped: 0 }) },
    processes: { running: (name) => (ended.has(name) ? undefined : agent), start: async () => agent },
  });
  const sessions = new SessionService(new SessionDirectory(), services);
  await sessions.openSession('a');
  await sessions.tryAttach();
  const { sideBar } = sessions.views;
  vi.spyOn(sessions, 'putAway').mockImplementation(async (id) => {
    calls.push(['putAway', id]);
    sessions.views.show(sideBar, sideBar.session);
  });
  vi.spyOn(sessions, 'delete').mockImplementation(async (id) => {
    calls.push(['delete', id]);
    index.remove(id);
    if (failing.has(id)) throw new Error('EACCES');
  });
  vi.spyOn(sessions, 'fork').mockImplementation(async (id) => void calls.push(['fork', id]));
  vi.spyOn(sessions, 'openRemote').mockImplementation(
    async (...args) => (calls.push(['openRemote', ...args]), sessions.another('A', 'r')),
  );
  vi.spyOn(sessions, 'openSession').mockImplementation(async () => true);
  const deletion = new SessionDeletion({ sessions, index, state, clock, log: silentLogger });
  const list = new SessionList({
    sessions,
    index,
    deletion,
    transcripts: { flushSync: () => undefined, fileOf: () => transcript } as never,
    clock,
    log: silentLogger,
    panels: { revealEntry: (...args) => void calls.push(['reveal', ...args]) },
  });
  list.onDidWantTab(({ place, session }) => calls.push(['openIn', place, session.id]));
  await list.open();
  calls.length = 0;
  return {
    list,
    sessions,
    index,
    deletion,
    calls,
    connection,
    keys: () => list.view!.items.map(({ key }) => key),
    item: (key: string) => list.view!.items.find((item) => item.key === key)!,
  };
}
const remote = 'A\u0000r9';

/** Sessions of which something cannot be removed here. */
const failing = new Set<string>();
/** Agents that do not run any more. */
const ended = new Set<string>();

describe('the list of sessions', () => {
  it('lists what is here once, and tells what only the agent has', async () => {
    const { keys, item } = await open({ delete: true });
    expect(keys()).toEqual([remote, 'c', 'b', 'a']);
    expect(item(remote)).toMatchObject({
      state: 'atAgent',
      acts: ['openInEditor', 'openInNewWindow', 'rename', 'pin', 'archive', 'delete'],
    });
    expect(item('a')).toMatchObject({
      isCurrent: true,
      acts: ['openInEditor', 'openInNewWindow', 'rename', 'pin', 'archive', 'continue', 'delete'],
    });
  });

  it('opens what only the agent has beside the code, too', async () => {
    const { list, calls } = await open();
    expect(await list.act('openInEditor', [remote])).toBe(true);
    expect(calls).toEqual([
      ['openRemote', 'A', 'r9', '/w', 'Agent only', {}],
      ['openIn', 'editor', 'r'],
    ]);
    expect(await list.act('rename', ['nobody'])).toBe(false);
  });

  it('leads to a line that was found, although the search ends with the list', async () => {
    writeFileSync(transcript, asked.map((action) => JSON.stringify(action)).join('\n'));
    const { list, calls } = await open();
    await list.find('slow parser');
    await list.showHit(list.view!.search!.hits.at(-1)!.id);
    expect([list.view, calls]).toEqual([
      undefined,
      [['reveal', 'e0', { text: 'slow parser', line: 'The parser is slow' }]],
    ]);
  });

  it('deletes for good only when the time for Undo is over', async () => {
    const { list, calls, keys } = await open();
    await list.act('delete', ['a', 'nobody']);
    // The shown session was deleted: another one is shown, and the list with its Undo stays.
    expect([keys(), list.view?.deleted, calls]).toEqual([
      [remote, 'c', 'b'],
      { count: 1, title: 'Title a' },
      [['putAway', 'a']],
    ]);
    clock.advance(undoMs - 1);
    await list.act('delete', ['b']);
    expect(list.view?.deleted).toEqual({ count: 2 });
    clock.advance(undoMs - 1);
    list.undoDelete();
    expect([keys(), list.view?.deleted]).toEqual([[remote, 'c', 'b', 'a'], undefined]);
    clock.advance(undoMs);
    expect(calls.map(([name]) => name)).toEqual(['putAway', 'putAway']);
    await list.act('delete', ['c']);
    clock.advance(undoMs);
    await expect.poll(() => calls.at(-1)).toEqual(['delete', 'c']);
    await expect.poll(keys).toEqual([remote, 'b', 'a']);
  });

  it('deletes here before the agent, whose refusal is said and keeps nothing here', async () => {
    const { list, calls, connection, keys } = await open({ delete: true });
    connection.deleteSession = async (id: unknown) => {
      calls.push(['deleteAtAgent', id]);
      throw new Error('it is locked');
    };
    await list.act('delete', ['b']);
    clock.advance(undoMs);
    await expect
      .poll(() => list.view?.problem)
      .toBe('“Title b” was deleted here. A did not delete its copy: it is locked');
    expect(calls.slice(1)).toEqual([
      ['delete', 'b'],
      ['deleteAtAgent', 'r2'],
    ]);
    expect(keys()).toEqual([remote, 'c', 'a']);
    expect(state.get('parley.deletedSessions')).toBeUndefined();
  });

  it('deletes when the window closes before the time is over, and sends that to the agent before it ends', async () => {
    const { list, deletion, calls } = await open({ delete: true });
    await list.act('delete', ['a', remote]);
    void deletion.close();
    // At once: nothing is waited for any more.
    expect(calls.slice(2)).toEqual([
      ['deleteAtAgent', 'r9'],
      ['delete', 'a'],
    ]);
  });

  it('deletes at the next start when the window was killed before the time was over', async () => {
    const first = await open();
    await first.list.act('delete', ['b']);
    // Killed: nothing of this window happens any more.
    const next = await open();
    expect(next.keys()).not.toContain('b');
    await next.deletion.resume();
    expect([next.calls, next.keys(), state.get('parley.deletedSessions')]).toEqual([
      [['delete', 'b']],
      [remote, 'c', 'a'],
      undefined,
    ]);
  });

  it('tries again at the next start what could not be removed here', async () => {
    const { list, keys } = await open();
    failing.add('a');
    await list.act('delete', ['a']);
    clock.advance(undoMs);
    await expect
      .poll(() => list.view?.problem)
      .toBe('“Title a” was not deleted completely: EACCES Parley tries again at the next start.');
    expect(keys()).not.toContain('a');
    failing.clear();
    const next = await open();
    await next.deletion.resume();
    expect([next.calls, state.get('parley.deletedSessions')]).toEqual([[['delete', 'a']], undefined]);
  });

  it('brings back what was deleted, also on disk', async () => {
    const { list, keys } = await open();
    await list.act('delete', ['a']);
    expect(state.get('parley.deletedSessions')).toEqual([{ key: 'a', agent: 'A', title: 'Title a' }]);
    list.undoDelete();
    expect([keys().includes('a'), state.get('parley.deletedSessions')]).toEqual([true, undefined]);
  });

  it('deletes at the agent what an earlier window has left, once the agent runs and lists it', async () => {
    const first = await open({ delete: true });
    await first.list.act('delete', [remote]);
    ended.add('A');
    const next = await open({ delete: true });
    await next.deletion.resume();
    expect(next.calls).toEqual([]);
    ended.clear();
    await next.sessions.tryAttach();
    next.list.close();
    await next.list.open();
    expect([next.calls.at(-1), next.keys().includes(remote), state.get('parley.deletedSessions')]).toEqual([
      ['deleteAtAgent', 'r9'],
      false,
      undefined,
    ]);
  });

  it('deletes at the agent only where that can, and after the same time', async () => {
    const { list, calls, keys } = await open({ delete: true });
    await list.act('delete', [remote]);
    expect(calls).toEqual([['putAway', remote]]);
    clock.advance(undoMs);
    await expect.poll(() => calls.at(-1)).toEqual(['deleteAtAgent', 'r9']);
    expect(keys()).not.toContain(remote);
    const other = await open();
    await other.list.act('delete', [remote]);
    expect([other.list.view?.deleted, other.calls]).toEqual([undefined, []]);
  });

  it('deletes at the agent also when the list was opened anew meanwhile', async () => {
    const { list, calls, connection } = await open({ delete: true });
    await list.act('delete', [remote]);
    list.close();
    connection.listSessions = async () => ({ sessions: [] });
    await list.open();
    expect(list.view?.deleted).toEqual({ count: 1, title: 'Agent only' });
    clock.advance(undoMs);
    await expect.poll(() => calls.at(-1)).toEqual(['deleteAtAgent', 'r9']);
    expect([list.view?.problem, list.view?.deleted]).toEqual([undefined, undefined]);
  });

  it('says that a session was not deleted because its agent has ended, also when the list is closed then', async () => {
    const { list, calls, keys } = await open({ delete: true });
    await list.act('delete', [remote]);
    ended.add('A');
    list.close();
    clock.advance(undoMs);
    await list.open();
    expect(list.view?.problem).toBe('“Agent only” was not deleted because A is not running.');
    ended.clear();
    list.close();
    await list.open();
    expect([list.view?.problem, keys(), calls.map(([name]) => name)]).toEqual([
      undefined,
      [remote, 'c', 'b', 'a'],
      ['putAway', 'list'],
    ]);
  });

  it('pins and archives, here and where the agent offers it', async () => {
    const { list, item, calls } = await open({ archive: true });
    await list.act('pin', ['b', remote]);
    expect([item('b').isPinned, item(remote).isPinned, item('b').acts.includes('unpin')]).toEqual([true, true, true]);
    await list.act('archive', ['b', remote]);
    expect([item('b').isArchived, item(remote).isArchived, item('b').acts.includes('unarchive')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(calls).toEqual([
      ['archive', 'r9'],
      ['putAway', 'b'],
      ['archive', 'r2'],
    ]);
    await list.act('unarchive', ['b', remote]);
    expect([item('b').isArchived, item(remote).isArchived]).toEqual([undefined, undefined]);
    expect(calls.slice(3)).toEqual([
      ['unarchive', 'r9'],
      ['unarchive', 'r2'],
    ]);
    const other = await open();
    await other.list.act('archive', [remote]);
    expect([other.item(remote).isArchived, other.calls]).toEqual([true, []]);
  });

  it('tells the agent a new name where it can, and shows what the agent made of it', async () => {
    const { list, item, calls } = await open({ setTitle: true });
    typed.text = ' A much longer name ';
    await list.act('rename', ['b']);
    expect([item('b').title, calls, typed.prompts]).toEqual([
      'A much l',
      [['setTitle', 'r2', 'A much longer name']],
      ['A gets the new name too.'],
    ]);
  });

  it('keeps a name to itself where the agent takes none; an empty one gives the title back', async () => {
    const { list, item, calls, index } = await open();
    typed.text = 'Mine';
    await list.act('rename', [remote]);
    expect([item(remote).title, calls, typed.prompts]).toEqual([
      'Mine',
      [],
      ['Only Parley uses this name. A keeps its own.'],
    ]);
    typed.text = '';
    await list.act('rename', [remote]);
    expect(item(remote).title).toBe('Agent only');
    typed.text = 'Ours';
    await list.act('rename', [remote]);
    await list.show(remote);
    expect(calls).toEqual([['openRemote', 'A', 'r9', '/w', 'Agent only', { ownTitle: 'Ours' }]]);
    expect(index.marksOf('A', 'r9')).toEqual({});
  });

  it('forks only where the agent offers it', async () => {
    const with_ = await open({ fork: true });
    expect(with_.item('b').acts).toContain('fork');
    await with_.list.act('fork', ['b']);
    expect(with_.calls).toEqual([['fork', 'b']]);
    const without = await open();
    await without.list.act('fork', ['b']);
    expect(without.calls).toEqual([]);
  });
});
