import { beforeEach, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { CompareAgents } from '../../../../src/host/takeOver/compareAgents';
import { ChosenAgents } from '../../../../src/host/takeOver/chosenAgents';
import { Comparisons } from '../../../../src/host/takeOver/comparisons';
import { TestRuns } from '../../../../src/host/takeOver/testRuns';
import type { KnownModels } from '../../../../src/host/sessions/optionMemory';
import { contentOfText } from '../../../../src/host/storage/contentInHand';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';
import { workTime } from '../../../fakes/workTime';

interface Row {
  readonly label: string;
  readonly description?: string;
  readonly act?: () => Promise<boolean>;
}
interface List {
  rows(): readonly Row[];
  pick(row: Row | undefined): void;
  redrawn: number;
}
const told = vi.hoisted(() => ({
  picked: [] as string[] | undefined,
  offered: [] as { label: string; picked?: boolean }[],
  lists: [] as List[],
  read: [] as string[],
  reading: Promise.resolve() as Promise<unknown>,
  changes: {} as Record<string, object[]>,
  remembered: undefined as KnownModels | undefined,
  unreadable: '',
  detail: '',
}));
vi.mock('vscode', () => ({
  QuickPickItemKind: { Separator: -1 },
  workspace: { isTrusted: true },
  window: {
    showWarningMessage: async (_: string, { detail }: { detail: string }) => void (told.detail = detail),
    showQuickPick: async (items: { label: string; kind?: number }[]) => {
      told.offered = items;
      return told.picked && items.filter(({ label, kind }) => kind === undefined && told.picked!.includes(label));
    },
  },
}));
vi.mock('../../../../src/host/platform/liveList', () => ({
  pickLive: (_: object, rows: () => readonly Row[], follow: (redraw: () => void) => { dispose(): void }) =>
    new Promise((resolve) => {
      const list: List = { rows, redrawn: 0, pick: (row) => (following.dispose(), resolve(row)) };
      const following = follow(() => list.redrawn++);
      told.lists.push(list);
    }),
}));
vi.mock('../../../../src/host/takeOver/worktreeChanges', () => ({
  worktreeChanges: async ({ branch }: { branch: string }) => {
    told.read.push(branch);
    await told.reading;
    if (branch === told.unreadable) throw new Error('fatal: index file corrupt');
    return { changes: told.changes[branch] ?? [], unread: [] };
  },
}));

const settled = () => new Promise((resolve) => setImmediate(resolve));

function modelOption(current: string) {
  const choices = ['Big', 'Small'].map((name) => ({ name, value: name.toLowerCase() }));
  return { key: 'm', role: 'model', type: 'select', name: 'Model', current, choices };
}

interface FakeThread {
  readonly waiting: readonly [];
  readonly asks: readonly [];
  readonly options: { shown: { current: string }[] };
}
interface FakeSession {
  readonly id: string;
  readonly agent: string;
  worktree: object | undefined;
  readonly session: { isRunning: boolean; readonly thread: FakeThread; readonly [other: string]: unknown };
  readonly [other: string]: unknown;
}

function desk() {
  const clock = new FakeClock();
  const changed = new Emitter<{ session: { id: string }; part: string }>();
  const notices: string[] = [];
  const sent: string[] = [];
  const live: FakeSession[] = [];
  function session(agent: string, { hasPlace = true, canSelect = true } = {}): FakeSession {
    const id = `${agent}${live.length}`;
    const made: FakeSession = {
      id,
      agent,
      hasFailed: false,
      placeChoice: hasPlace ? 'folder' : undefined,
      worktree: undefined as object | undefined,
      connection: { tryAttach: async () => true },
      session: {
        isRunning: false,
        thread: { waiting: [], asks: [], options: { shown: agent === 'One' ? [modelOption('big')] : [] } },
        notify: ({ title, detail }: { title: string; detail: string }) => notices.push(`${title}: ${detail}`),
        setOption: async (_: string, value: string) =>
          void (canSelect && (made.session.thread.options.shown = [modelOption(value)])),
      },
      submit: async (_: object, words: string) => {
        sent.push(`${words} (${made.session.thread.options.shown[0]?.current ?? ''})`);
        made.session.isRunning = true;
        made.worktree = { path: `/w/${id}`, repository: '/w/repo', branch: id, base: 'c0' };
      },
    };
    live.push(made);
    return made;
  }
  const own = session('One');
  const asked: { hasPlace?: boolean; canSelect?: boolean } = {};
  const state = new MemoryState();
  const tests = new TestRuns(state, clock);
  const chosen = new ChosenAgents();
  const agents = new CompareAgents({
    chosen,
    comparisons: new Comparisons(state),
    commands: {} as never,
    agents: () => ['One', 'Two'].map((name) => ({ name })),
    options: { modelsOf: (agent) => (agent === 'Two' ? told.remembered : undefined) },
    sides: {
      sessions: {
        open: live,
        another: (name: string) => session(name, asked),
        get: async (id: string) => live.find((item) => item.id === id),
        record: () => ({ updatedAt: 1_000 }),
        onDidChange: changed.event,
      } as never,
      worktrees: {} as never,
      tests,
      clock,
    },
  });
  return { agents, own, live, chosen, notices, sent, clock, changed, tests, asked };
}

const draft = { text: 'Fix it\nnow', mentions: [], attachments: [] };

beforeEach(() =>
  Object.assign(told, {
    picked: [],
    offered: [],
    lists: [],
    read: [],
    changes: {},
    remembered: undefined,
    unreadable: '',
    detail: '',
  }),
);

it('other agents compete, and other models of agents that have a session here', async () => {
  const { agents, own, live, chosen, sent, notices } = desk();
  told.picked = ['Two', 'One · Small'];
  expect(await agents.choose(own as never)).toBe(true);
  expect(told.offered.map(({ label }) => label)).toEqual(['One', 'One · Small', 'Two']);
  await agents.begin(draft, own as never, chosen.of(own.id));
  await settled();
  expect(sent.toSorted()).toEqual(['One · Big Fix it (big)', 'One · Small Fix it (small)', 'Two Fix it ()']);
  expect([notices, chosen.of(own.id)]).toEqual([[], []]);
  expect(agents.of('One1')).toMatchObject({
    title: 'Fix it',
    sessions: live.map(({ id }) => id),
    names: ['One · Big', 'One · Small', 'Two'],
  });
});

it('models compete that an agent offered to an earlier session', async () => {
  const { agents, own } = desk();
  told.remembered = { key: 'm', choices: ['Fast', 'Deep'].map((name) => ({ name, value: name })) };
  await agents.choose(own as never);
  expect(told.offered.map(({ label }) => label)).toEqual([
    'One',
    'One · Small',
    'Two',
    'Two',
    'Two · Fast',
    'Two · Deep',
  ]);
});

it('an agent without a worktree or with another model than chosen is not asked', async () => {
  const { agents, own, asked, notices, sent } = desk();
  asked.canSelect = false;
  const small = { key: 'm', value: 'small', name: 'Small' };
  await agents.begin(draft, own as never, [{ agent: 'One' }, { agent: 'One', model: small }]);
  await settled();
  expect(agents.of('One1')).toBeUndefined();
  expect(agents.of(own.id)).toMatchObject({ sessions: [own.id], names: ['One · Big'] });
  asked.hasPlace = false;
  await agents.begin(draft, own as never, [{ agent: 'One' }, { agent: 'Two' }]);
  expect(notices).toEqual([
    'Not asked: One · Small: Its model could not be selected.',
    'Not asked: Two: No worktree can be created from the folder in its configuration.',
  ]);
  expect(sent).toEqual(['One · Big Fix it (big)', 'One Fix it (big)']);
});

it('the prompt of the session does not wait for a model of another agent', async () => {
  const { agents, own, live, sent } = desk();
  const small = { key: 'm', value: 'small', name: 'Small' };
  let attach: (isAttached: boolean) => void = () => {};
  const begun = agents.begin(draft, own as never, [{ agent: 'One' }, { agent: 'One', model: small }]);
  Object.assign(live[1]!.connection as object, {
    tryAttach: () => new Promise<boolean>((resolve) => (attach = resolve)),
  });
  await begun;
  expect(sent).toEqual(['One · Big Fix it (big)']);
  attach(true);
  await settled();
  expect(sent).toEqual(['One · Big Fix it (big)', 'One · Small Fix it (small)']);
});

it('the view follows what the agents do until it is closed', async () => {
  const { agents, own, live, clock, changed } = desk();
  await agents.begin(draft, own as never, [{ agent: 'One' }, { agent: 'Two' }]);
  let read = () => undefined as unknown;
  told.reading = new Promise((resolve) => (read = () => resolve(undefined)));
  const shown = agents.show(agents.of(own.id)!);
  await settled();
  const list = told.lists[0]!;
  const texts = () => list.rows().map(({ label, description }) => [label, description].filter(Boolean).join(' | '));
  // It opens before the files are read.
  expect(texts()[1]).toBe('$(loading~spin) One | works · 0.1 s · reading its files');
  read();
  await settled();
  expect(texts()).toEqual([
    'Agents',
    '$(loading~spin) One | works · 0.1 s · 0 files',
    '$(loading~spin) Two | works · 0.1 s · 0 files',
    '',
    '$(beaker) Run Tests…',
    '$(trash) Clean Up…',
  ]);
  expect(told.read).toEqual(['One0', 'Two1']);
  // Times go on, and Git looks again only at what has changed, after a while.
  clock.advance(2_000);
  expect([list.redrawn, texts()[1]]).toEqual([4, '$(loading~spin) One | works · 2 s · 0 files']);
  const [base, theirs] = [contentOfText('a\n'), contentOfText('b\n')];
  told.changes['Two1'] = [{ label: 'a.ts', base, theirs, edits: [{ start: 0, end: 1, lines: ['b\n'] }] }];
  live[1]!.session.isRunning = false;
  for (let i = 0; i < 50; i++) changed.fire({ session: live[1]!, part: 'thread' });
  changed.fire({ session: { id: 'other' }, part: 'thread' });
  clock.advance(250);
  expect(texts()[2]).toBe('$(check) Two | done · 0.1 s · 0 files');
  clock.advance(3_000);
  await settled();
  expect(told.read).toEqual(['One0', 'Two1', 'Two1']);
  expect(texts()).toContain('$(check) Two | done · 0.1 s · 1 file · +1 −1');
  // Nothing moves under the mouse when a file comes.
  expect(texts().slice(3)).toEqual([
    '',
    '$(beaker) Run Tests…',
    '$(trash) Clean Up…',
    'Changed files',
    '$(file) a.ts | Two +1 −1',
  ]);
  told.changes['Two1']!.unshift({ ...told.changes['Two1']![0]!, label: 'A first.ts' });
  changed.fire({ session: live[1]!, part: 'thread' });
  clock.advance(3_000);
  await settled();
  expect(texts().slice(-2)).toEqual(['$(file) a.ts | Two +1 −1', '$(file) A first.ts | Two +1 −1']);
  list.pick(undefined);
  await shown;
  expect(clock.running).toBe(0);
  changed.fire({ session: live[1]!, part: 'thread' });
  expect(clock.running).toBe(0);
});

it('a worktree that Git cannot compare is not said to have no files', async () => {
  const { agents, own, chosen } = desk();
  told.picked = ['Two'];
  await agents.choose(own as never);
  await agents.begin(draft, own as never, chosen.of(own.id));
  await settled();
  const [base, theirs] = [contentOfText('a\n'), contentOfText('b\n')];
  told.changes = { One0: [{ label: 'a.ts', base, theirs, edits: [{ start: 0, end: 1, lines: ['b\n'] }] }] };
  told.unreadable = 'Two1';
  const shown = agents.show(agents.of(own.id)!);
  await settled();
  const [list] = told.lists;
  await vi.waitFor(() => expect(told.read.toSorted()).toEqual(['One0', 'Two1']));
  await settled();
  expect(list!.rows().find(({ label }) => label.endsWith('Two'))!.description).not.toContain('0 files');
  list!.pick(list!.rows().find(({ label }) => label.includes('Clean Up')));
  await vi.waitFor(() => expect(told.detail).not.toBe(''));
  expect(told.detail).toMatch(/^One: 1 file\nTwo: Its files cannot be read\.\n/);
  told.lists[1]?.pick(undefined);
  await shown;
});

it('four agents with 200 files each are drawn in 200 ms', async () => {
  const { agents, own, live } = desk();
  const all = ['One', 'Two', 'Three', 'Four'].map((agent) => ({ agent }));
  await agents.begin(draft, own as never, all);
  for (const [k, { id }] of live.entries())
    told.changes[id] = Array.from({ length: 200 }, (_, i) => ({
      label: `src/file${i + 10 * k}.ts`,
      base: contentOfText('a\n'),
      theirs: contentOfText('b\n'),
      edits: Array.from({ length: 20 }, (_edit, n) => ({ start: n, end: n + 1, lines: ['b\n'] })),
    }));
  void agents.show(agents.of(own.id)!);
  await settled();
  await settled();
  const list = told.lists[0]!;
  expect(list.rows().filter(({ label }) => label.startsWith('$(file)'))).toHaveLength(230);
  const start = workTime();
  list.rows();
  expect(workTime() - start).toBeLessThan(200);
  list.pick(undefined);
});
