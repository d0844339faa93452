import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RemoteSession } from '../../../../src/host/sessions/remoteSessions';
import { localItem } from '../../../../src/host/sessions/sessionItems';
import { remoteKey, SessionIndex } from '../../../../src/host/sessions/sessionIndex';
import { SessionRows } from '../../../../src/host/sessions/sessionRows';
import { MemoryState } from '../../../fakes/memoryState';
import { Random } from '../../../fakes/random';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

let index: SessionIndex;
let listed: RemoteSession[];
let current: string;
let agents: Record<string, object>;
let busy: Set<string>;
let looks: number;

beforeEach(() => {
  index = new SessionIndex(new MemoryState());
  [listed, current, agents, busy, looks] = [[], '', { A: { features: { fork: true, delete: true } } }, new Set(), 0];
});

/** A session that is open, as far as a row tells of it. */
const live = (id: string) => ({
  id,
  isBusy: true,
  background: [],
  session: { thread: { waiting: [], asks: [] }, isRunning: true },
  signIn: {},
  connection: { view: { state: 'ready' } },
  title: undefined,
});

function rowsOf(): SessionRows {
  const remote = {
    get list() {
      return listed;
    },
  };
  return new SessionRows(
    {
      find: (id) => {
        looks++;
        return busy.has(id) ? (live(id) as never) : undefined;
      },
      open: () => [],
      runningAgentNamed: (name) => agents[name] as never,
      branchOf: () => undefined,
      current: () => current,
      today: () => 1_000,
    },
    index,
    remote,
  );
}

const record = (id: string, updatedAt: number, remoteId?: string) => ({
  id,
  agent: 'A',
  cwd: '/w',
  createdAt: 1,
  updatedAt,
  title: `Title ${id}`,
  ...(remoteId === undefined ? {} : { remoteId }),
});
const remoteOne = (sessionId: string, updatedAt?: number): RemoteSession =>
  ({
    agent: 'A',
    sessionId,
    cwd: '/w',
    title: `Remote ${sessionId}`,
    ...(updatedAt === undefined ? {} : { updatedAt }),
  }) as RemoteSession;

describe('what sessions used today', () => {
  const used = (id: string, day: number, tokens?: number, cost?: { amount: number; currency: string }) => ({
    ...record(id, 1),
    usage: { all: { tokens: 9 }, day, ofDay: { ...(tokens ? { tokens } : {}), ...(cost ? { cost } : {}) } },
  });

  it('is the sum of all, by currency, also of those that the search leaves out', async () => {
    index.put(used('a', 1_000, 5, { amount: 1, currency: 'USD' }));
    index.put(used('b', 1_000, 7, { amount: 2, currency: 'USD' }));
    index.put(used('c', 1_000, undefined, { amount: 3, currency: 'credits' }));
    index.put(used('yesterday', 900, 11));
    index.put(record('unknown', 1));
    const rows = rowsOf();
    rows.filter(['none']);
    await rows.fill();
    const sum = [
      { cost: { amount: 3, currency: 'USD' } },
      { cost: { amount: 3, currency: 'credits' } },
      { tokens: 12 },
    ];
    expect(rows.today).toEqual(sum);
    expect(rows.make('yesterday')!.usage).toEqual({ tokens: 9 });
    expect(rows.make('unknown')!.usage).toBeUndefined();
    index.remove('c');
    rows.touch('c');
    rows.update();
    expect(rows.today).toEqual([sum[0], sum[2]]);
    rows.clear();
    expect(rows.today).toEqual([]);
  });
});

describe('rows of the list of sessions', () => {
  it('say what goes on without a turn, and do not offer to end it by archiving', () => {
    index.put(record('a', 1));
    const open = { ...live('a'), isBusy: false, session: { thread: { waiting: [], asks: [] }, isRunning: false } };
    const rowWith = (background: readonly object[]) =>
      localItem(index.get('a')!, { ...open, background } as never, undefined, false, undefined);
    expect(rowWith([{}])).toMatchObject({ state: 'background' });
    expect(rowWith([{}]).acts).not.toContain('archive');
    expect(rowWith([]).acts).toContain('archive');
    expect(rowWith([]).state).toBe('open');
  });

  it('what happens in one session makes one row anew, however many there are', async () => {
    listed = Array.from({ length: 3_000 }, (_, i) => remoteOne(`r${i}`, i));
    index.put(record('a', 1_500));
    const rows = rowsOf();
    await rows.fill();
    looks = 0;
    for (let i = 0; i < 100; i++) {
      rows.touch('a');
      expect(rows.update()).toBe(false);
    }
    busy.add('a');
    rows.touch('a');
    expect(rows.update()).toBe(true);
    expect(looks).toBeLessThanOrEqual(101);
    expect(
      rows
        .shown(10_000)
        .items.filter(({ state }) => state === 'running')
        .map(({ key }) => key),
    ).toEqual(['a']);
  });

  it('the panel gets the newest, and the pinned ones however old', async () => {
    listed = Array.from({ length: 50 }, (_, i) => remoteOne(`r${i}`, i));
    index.mark('A', 'r3', { isPinned: true });
    index.mark('A', 'r49', { isArchived: true });
    const rows = rowsOf();
    await rows.fill();
    expect(rows.shown(3)).toMatchObject({
      items: [48, 47, 46, 49, 3].map((i) => ({ key: remoteKey(remoteOne(`r${i}`)) })),
      archived: 1,
      hasMore: true,
    });
    expect(rows.shown(50).hasMore).toBe(false);
    rows.filter(['remote', 'r7']);
    expect(rows.isStale).toBe(true);
    await rows.fill();
    expect(rows.shown(3).items.map(({ title }) => title)).toEqual(['Remote r7']);
  });

  it('are those that they would be if all were made anew', async () => {
    const random = new Random(7);
    for (let round = 0; round < 30; round++) {
      index = new SessionIndex(new MemoryState());
      busy = new Set();
      listed = Array.from({ length: 12 }, (_, i) => remoteOne(`r${i}`, i % 4 === 0 ? undefined : random.below(9)));
      const rows = rowsOf();
      if (round % 3 === 0) rows.filter(['1']);
      await rows.fill();
      index.onDidChange((key) => rows.touch(key));
      for (let step = 0; step < 40; step++) {
        const id = `s${random.below(6)}`;
        const act = random.below(8);
        if (act < 2) index.put(record(id, random.below(9), random.below(2) === 0 ? `r${random.below(12)}` : undefined));
        else if (act === 2) index.remove(id);
        else if (act === 3) index.hide(id, random.below(2) === 0);
        else if (act === 4)
          index.mark('A', `r${random.below(12)}`, {
            isArchived: random.below(2) === 0 ? true : undefined,
            isPinned: random.below(2) === 0 ? true : undefined,
          });
        else if (act === 5) current = id;
        else if (act === 6) {
          if (!busy.delete(id)) busy.add(id);
          rows.touch(id);
        } else index.patch(id, { isArchived: random.below(2) === 0 ? true : undefined });
        rows.update();
        const anew = rowsOf();
        if (round % 3 === 0) anew.filter(['1']);
        await anew.fill();
        const sorted = (all: ReturnType<SessionRows['shown']>) => ({
          ...all,
          items: all.items.map((item) => JSON.stringify(item)).toSorted(),
        });
        expect(sorted(rows.shown(100)), `round ${round}, step ${step}`).toEqual(sorted(anew.shown(100)));
        const times = rows
          .shown(100)
          .items.filter((item) => !item.isArchived)
          .map(({ updatedAt = 0 }) => updatedAt);
        expect(times).toEqual(times.toSorted((a, b) => b - a));
      }
    }
  });

  it('of many are made in slices, in which the host does other things', async () => {
    listed = Array.from({ length: 60_000 }, (_, i) => remoteOne(`r${i}`, i));
    const rows = rowsOf();
    let turns = 0;
    const count = () => {
      turns++;
      if (rows.isFilling) setImmediate(count);
    };
    const filled = rows.fill();
    setImmediate(count);
    await filled;
    expect(turns).toBeGreaterThan(2);
    expect([rows.isFilling, rows.isStale, rows.shown(2).items.length]).toEqual([false, false, 2]);
  });

  it('are made anew where an agent starts or ends', async () => {
    listed = [remoteOne('r', 1)];
    const rows = rowsOf();
    await rows.fill();
    expect([rows.isStale, rows.shown(1).items[0]?.acts.includes('delete')]).toEqual([false, true]);
    agents = {};
    expect(rows.isStale).toBe(true);
    await rows.fill();
    expect([rows.isStale, rows.shown(1).items[0]?.acts.includes('delete')]).toEqual([false, false]);
  });
});
