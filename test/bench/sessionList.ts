import { Emitter } from '../../src/base/event';
import { silentLogger } from '../../src/base/log';
import { SessionIndex } from '../../src/host/sessions/sessionIndex';
import { SessionList } from '../../src/host/sessions/sessionList';
import { systemClock } from '../../src/host/platform/clock';
import { MemoryState } from '../fakes/memoryState';

/**
 * The list of sessions while an agent that lists `count` of them streams; `vscode` has to be `fakeVscode`.
 * Milliseconds.
 */
export async function timeSessionList(count: number): Promise<Readonly<Record<string, number>>> {
  const sessions = Array.from({ length: count }, (_, i) => ({
    sessionId: `r${i}`,
    cwd: '/w',
    title: `Session ${i}`,
    updatedAt: i,
  }));
  const agent = { features: { list: true }, connection: { listSessions: async () => ({ sessions }) } };
  const index = new SessionIndex(new MemoryState());
  index.put({ id: 'a', agent: 'A', cwd: '/w', createdAt: 1, updatedAt: count, title: 'Open' });
  const live = {
    id: 'a',
    agent: 'A',
    cwd: '/w',
    runningAgent: agent,
    isBusy: true,
    session: { thread: { waiting: [], asks: [] }, isRunning: true },
    signIn: {},
    connection: { view: { state: 'ready' } },
  };
  const [changed, closed, switched] = [new Emitter<unknown>(), new Emitter<unknown>(), new Emitter<never>()];
  const sideBar = { shows: (id: string) => id === 'a', session: live };
  const service = {
    onDidChange: changed.event,
    onDidClose: closed.event,
    views: { onDidSwitch: switched.event, sideBar },
    runningAgentNamed: () => agent,
    find: (id: string) => (id === 'a' ? live : undefined),
    open: [live],
    active: live,
  };
  const deletion = {
    list: [],
    problem: undefined,
    onDidChange: new Emitter<void>().event,
    onDidDeleteAtAgent: new Emitter<string>().event,
    resumeAtAgents: async () => undefined,
    dismiss: () => undefined,
  };
  const list = new SessionList({
    sessions: service as never,
    deletion: deletion as never,
    index,
    transcripts: {} as never,
    clock: systemClock,
    log: silentLogger,
    panels: { revealEntry: () => undefined },
  });
  const opening = await blocked(async () => {
    await list.open();
    while ((list.view?.items.length ?? 0) < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  });
  const stream = async () => {
    for (let i = 0; i < 50; i++) {
      changed.fire({ session: live, part: 'thread' });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const before = process.cpuUsage();
  const began = performance.now();
  await stream();
  const { user } = process.cpuUsage(before);
  const share = (100 * user) / 1_000 / (performance.now() - began);
  const streaming = await blocked(stream);
  const turns = await blocked(async () => {
    for (let i = 0; i < 20; i++) {
      index.patch('a', { updatedAt: count + i });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  const size = JSON.stringify(list.view ?? {}).length / 1e6;
  list.dispose();
  return {
    'opened: the longest block': opening.block,
    'opened: in all': opening.total,
    'a stream of 100 chunks a second: the longest block': streaming.block,
    'the same, % of a processor': share,
    'a turn begins: the longest block': turns.block,
    'what the panel gets, MB': size,
  };
}

/** How long the event loop was held up at most, ms. */
async function blocked(work: () => Promise<void>): Promise<{ readonly block: number; readonly total: number }> {
  let last = performance.now();
  let block = 0;
  let isOver = false;
  const look = () => {
    const now = performance.now();
    block = Math.max(block, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  const started = performance.now();
  setImmediate(look);
  await work();
  isOver = true;
  return { block, total: performance.now() - started };
}
