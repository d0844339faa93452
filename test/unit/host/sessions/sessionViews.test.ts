import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { SessionEditors } from '../../../../src/host/panel/sessionEditors';
import { ChatView } from '../../../../src/host/sessions/chatViews';
import { SessionIndex } from '../../../../src/host/sessions/sessionIndex';
import { SessionDirectory } from '../../../../src/host/sessions/sessionDirectory';
import { SessionService } from '../../../../src/host/sessions/sessionService';
import type { ThreadAction } from '../../../../src/thread/actions';
import { UnreadableTranscript } from '../../../../src/host/sessions/transcriptStore';
import { replay } from '../../../../src/thread/replay';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryState } from '../../../fakes/memoryState';
import { sessionServices } from '../../../fakes/sessionServices';

const desk = vi.hoisted(() => ({
  isFocused: true,
  agrees: true,
  commands: [] as string[],
  errors: [] as string[],
  nothing: () => ({ dispose: () => undefined }),
}));
const { nothing } = desk;

vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  Uri: { joinPath: (...parts: unknown[]) => ({ path: parts.slice(1).join('/') }) },
  commands: { executeCommand: async (id: string) => void desk.commands.push(id) },
  window: {
    showWarningMessage: async (_question: string, _options: object, action: string) =>
      desk.agrees ? action : undefined,
    state: {
      get focused() {
        return desk.isFocused;
      },
    },
    createWebviewPanel: () => new FakeTab(),
    showErrorMessage: async (text: string) => void desk.errors.push(text),
  },
  workspace: { isTrusted: true, onDidGrantWorkspaceTrust: desk.nothing },
}));

/** An editor tab of VS Code's. */
class FakeTab {
  readonly done: string[] = [];
  private readonly disposeEmitter = new Emitter<void>();
  readonly onDidDispose = this.disposeEmitter.event;
  readonly onDidChangeViewState = nothing;
  title = '';
  readonly active = true;
  readonly visible = true;
  reveal() {
    this.done.push('reveal');
  }
  dispose() {
    this.done.push('close');
    this.disposeEmitter.fire();
  }
}

let sessions: SessionService;
let clock: FakeClock;
let state: MemoryState;
let started: string[];
let stored: Map<string, readonly ThreadAction[]>;
let index: SessionIndex;
/** Sessions in which a command runs. */
let commands: Set<string>;
/** Sessions whose transcript the disk does not give. */
let unreadable: Set<string>;
let selected: string[];

beforeEach(() => {
  desk.isFocused = true;
  desk.commands.length = 0;
  clock = new FakeClock();
  state = new MemoryState();
  started = [];
  stored = new Map();
  commands = new Set();
  unreadable = new Set();
  selected = [];
  index = new SessionIndex(state);
  desk.agrees = true;
  const services = sessionServices({
    clock,
    storage: { index, state },
    transcripts: {
      read: async (id) => {
        const cause = Object.assign(new Error(), { code: 'EACCES' });
        if (unreadable.has(id)) throw new UnreadableTranscript(`/t/${id.at(-1)}`, cause);
        const actions = stored.get(id);
        const header = { version: 1, id, agent: 'A', cwd: '/w', createdAt: 1 } as const;
        return actions && { header, thread: replay(actions), terminals: [], skipped: 0 };
      },
    },
    prompts: { lastOf: () => undefined },
    runsCommand: (session) => commands.has(session),
    processes: { start: ({ name }) => (started.push('start'), Promise.reject(new Error(name))) },
    configured: { named: () => undefined, select: async (agent) => void selected.push(agent) },
  });
  sessions = new SessionService(new SessionDirectory(), services);
});

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const prompt: ThreadAction = { type: 'turn/started', at: 1, turnId: 't', prompt: [{ type: 'text', text: 'hi' }] };

/** A session with a transcript, in the list. */
function store(n: number, actions: readonly ThreadAction[] = [prompt]): string {
  stored.set(id(n), actions);
  index.put({ id: id(n), agent: 'A', cwd: '/w', createdAt: 1, updatedAt: 1 });
  return id(n);
}

/** A session in which something was said. */
async function said(n: number) {
  store(n, [prompt, { type: 'turn/ended', at: 2, turnId: 't', stopReason: 'end_turn' }]);
  return (await sessions.get(id(n)))!;
}

function tab() {
  const done: string[] = [];
  const view: ChatView = new ChatView({
    reveal: () => done.push('reveal'),
    close: () => (done.push('close'), sessions.leave(view)),
  });
  return { view, done };
}

describe('a session that an agent lists', () => {
  it('has the folder that the agent names in its reach only if the user agreed, and keeps that over a restart', async () => {
    const opened = (await sessions.openRemote('A', 'r1', '/', 'All'))!;
    expect([opened.cwd, opened.roots]).toEqual(['/', ['/', '/w']]);
    // As the next window finds it.
    stored.set(opened.id, [prompt]);
    await sessions.putAway(opened.id);
    expect((await sessions.get(opened.id))!.roots).toEqual(['/', '/w']);
    desk.agrees = false;
    expect(await sessions.openRemote('A', 'r2', '/etc', 'Other')).toBeUndefined();
    expect(index.list()).toHaveLength(1);
  });

  it('of an earlier version of Parley, or whose transcript says otherwise, has the workspace’s folders alone', async () => {
    store(7);
    index.put({ id: id(7), agent: 'A', cwd: '/', createdAt: 1, updatedAt: 1, remoteId: 'r7' });
    expect((await sessions.get(id(7)))!.roots).toEqual(['/w']);
  });
});

describe('sessions and the views that show them', () => {
  it('one moves to a tab, and the side bar has another with the same agent', async () => {
    const { sideBar } = sessions.views;
    const first = await said(1);
    await sessions.openSession(first.id);
    const switches: unknown[] = [];
    sessions.views.onDidSwitch(({ view, isMove }) => switches.push([view === sideBar, isMove]));
    const { view, done } = tab();
    sessions.moveTo(view, first);
    expect([view.session, sessions.active, sideBar.session === first, sideBar.session.agent]).toEqual([
      first,
      first,
      false,
      'A',
    ]);
    expect(switches).toEqual([
      [true, true],
      [false, false],
    ]);
    // Whoever asks for the session is led to its tab; nothing else is.
    const shown = sideBar.session;
    sessions.views.use(sideBar);
    await sessions.openSession(first.id);
    expect([done, sideBar.session, sessions.active]).toEqual([['reveal'], shown, first]);
    await sessions.openSession((await said(2)).id);
    expect([sideBar.session.id, view.session, sessions.active.id]).toEqual([id(2), first, id(2)]);
    expect(started).toEqual([]);
  });

  it('the one used last is what commands are about, and a new session replaces only what that view shows', async () => {
    const [a, b] = [tab(), tab()];
    sessions.moveTo(a.view, await said(1));
    sessions.moveTo(b.view, await said(2));
    const { sideBar } = sessions.views;
    const shown = sideBar.session;
    sessions.views.use(a.view);
    await sessions.newSession();
    expect([a.view.session.hasBegun, b.view.session.id, sideBar.session]).toEqual([false, id(2), shown]);
    a.view.tab!.close();
    expect(sessions.views.active).toBe(b.view);
    b.view.tab!.close();
    expect([sessions.views.active, sessions.active]).toEqual([sideBar, shown]);
  });

  it('an agent that was chosen, and a new session, are there at once: what is sent next is for them', () => {
    const former = sessions.active;
    void sessions.selectAgent('B');
    const chosen = sessions.active;
    expect([chosen === former, chosen.agent]).toEqual([false, 'B']);
    void sessions.newSession(sessions.views.active, 'C');
    expect([sessions.active === chosen, sessions.active.agent]).toEqual([false, 'C']);
  });

  it.each<[string, (shown: () => Promise<void>) => Promise<void>]>([
    ['a new session', (shown) => sessions.newSession(sessions.views.active, undefined, shown)],
    ['another agent', (shown) => sessions.selectAgent('B', sessions.views.active, shown)],
  ])(
    '%s starts its agent once the view is in front: nothing takes the focus from what the agent asks for',
    async (_what, open) => {
      let show = () => undefined as void;
      const opening = open(() => new Promise((resolve) => (show = resolve)));
      const attach = vi.spyOn(sessions.active.connection, 'tryAttach');
      await expect.poll(() => show.length).toBe(1);
      expect(attach).not.toHaveBeenCalled();
      show();
      await opening;
      expect(attach).toHaveBeenCalledOnce();
    },
  );

  it('one that the user has left before its view was in front starts no agent, and one whose view cannot be shown does', async () => {
    let show = () => undefined as void;
    const first = sessions.newSession(
      sessions.views.active,
      undefined,
      () => new Promise<void>((resolve) => (show = resolve)),
    );
    const left = vi.spyOn(sessions.active.connection, 'tryAttach');
    const second = sessions.newSession(sessions.views.active, undefined, () => Promise.reject(new Error('no view')));
    const stayed = vi.spyOn(sessions.active.connection, 'tryAttach');
    show();
    await first;
    await expect(second).rejects.toThrow('no view');
    expect([left.mock.calls.length, stayed.mock.calls.length]).toEqual([0, 1]);
  });

  it('closing a tab ends nothing that was said, and Reopen finds it', async () => {
    const { view } = tab();
    const first = await said(1);
    sessions.moveTo(view, first);
    sessions.leave(view);
    expect([sessions.find(first.id), sessions.views.showing(first.id)]).toEqual([first, undefined]);
    expect(await sessions.reopenLast()).toBe(true);
    expect(sessions.views.sideBar.session).toBe(first);
    // One in which nothing was said is not missed.
    const empty = tab();
    sessions.moveTo(empty.view, sessions.another('A'));
    const { session } = empty.view;
    sessions.leave(empty.view);
    expect(sessions.find(session.id)).toBeUndefined();
  });

  it('those that are shown are never closed as idle, and a deleted one takes its tab along', async () => {
    const tabs = [1, 2, 3, 4, 5].map((n) => ({ ...tab(), n }));
    for (const { view, n } of tabs) sessions.moveTo(view, await said(n));
    for (const n of [6, 7, 8, 9]) await sessions.openSession((await said(n)).id);
    for (const { view, n } of tabs) expect(sessions.find(id(n))).toBe(view.session);
    expect(sessions.find(id(6))).toBeDefined();
    await sessions.delete(id(3), { agent: 'A', title: '' });
    expect([tabs[2]!.done, sessions.find(id(3)), sessions.views.all.length]).toEqual([['close'], undefined, 5]);
  });

  it('a deleted one leaves no prompt, draft or queue, whatever else cannot be removed', async () => {
    for (const [text, n] of [
      ['of another', 2],
      ['of this', 3],
    ] as const) {
      const session = await sessions.get(store(n));
      await sessions.submit({ text, mentions: [], attachments: [], notes: undefined }, session);
    }
    for (const key of [`parley.ui.${id(3)}`, `parley.queue.${id(3)}`, 'parley.activeSession'])
      void state.update(key, id(3));
    const told: unknown[] = [];
    sessions.onDidDelete(({ id: deleted, title, waitUntil }) => {
      told.push([deleted, title]);
      waitUntil(Promise.reject(new Error('EACCES')));
    });
    await expect(sessions.delete(id(3), { agent: 'A', title: 'Three' })).rejects.toThrow('EACCES');
    expect([told, sessions.history]).toEqual([[[id(3), 'Three']], ['of another']]);
    expect(JSON.stringify(state.keys().map((key) => [key, state.get(key)]))).not.toMatch(
      new RegExp(`of this|${id(3)}`),
    );
  });

  it('one that cannot be read is there, and says why', async () => {
    store(4);
    unreadable.add(id(4));
    expect(await sessions.openSession(id(4))).toBe(true);
    expect([sessions.find(id(4)), desk.errors.at(-1)]).toEqual([
      undefined,
      'The session “Untitled” cannot be read: permission denied. Check the permissions of /t/4. Parley deleted nothing.',
    ]);
    await expect(sessions.get(id(4))).rejects.toThrow('permission denied');
    expect(await sessions.openSession(id(5))).toBe(false);
  });

  it('the one clicked last stays, however long another takes to be read', async () => {
    await said(2);
    store(1);
    const [slow, quick] = [sessions.openSession(id(1)), sessions.openSession(id(2))];
    expect(await Promise.all([slow, quick])).toEqual([true, true]);
    expect(sessions.views.sideBar.session.id).toBe(id(2));
    store(3);
    const opening = sessions.openSession(id(3));
    await sessions.newSession();
    await opening;
    expect(sessions.views.sideBar.session.hasBegun).toBe(false);
  });

  it('one whose agent left a command running is not closed as idle until that has ended', async () => {
    commands.add(id(1));
    for (const n of [1, 2, 3, 4, 5, 6]) await sessions.openSession((await said(n)).id);
    expect([1, 2, 3].map((n) => sessions.find(id(n)) !== undefined)).toEqual([true, false, true]);
    commands.clear();
    await sessions.openSession((await said(7)).id);
    expect(sessions.find(id(1))).toBeUndefined();
  });

  it('one that is seen in a tab is seen', async () => {
    const { view } = tab();
    const first = await said(1);
    sessions.moveTo(view, first);
    const { sideBar } = sessions.views;
    expect(sessions.isInSight(first)).toBe(false);
    view.isVisible = true;
    expect([sessions.isInSight(first), sessions.isInSight(sideBar.session)]).toEqual([true, false]);
    desk.isFocused = false;
    expect(sessions.isInSight(first)).toBe(false);
  });

  it('a draft of a session without a prompt is found again in a tab, and is the side bar’s own there', () => {
    const { view } = tab();
    const { sideBar } = sessions.views;
    expect(sideBar.draftKey).toBe('new');
    const { id: moved } = sideBar.session;
    sessions.moveTo(view, sideBar.session);
    expect([view.draftKey, sideBar.draftKey]).toEqual([moved, 'new']);
  });
});

describe('tabs with sessions', () => {
  const moved: string[][] = [];
  const make = () => {
    const panels = { add: () => undefined, remove: () => undefined, reveal: async () => undefined };
    return new SessionEditors({
      sessions,
      panels,
      extensionUri: {},
      isKnown: (key: string) => stored.has(key),
      moveDraft: (...keys: string[]) => moved.push(keys),
      createPanel: (view: ChatView) => ({ view, panel: { attach: () => undefined }, dispose: () => undefined }),
      clock,
    } as never);
  };
  const restored = async (saved: unknown) => {
    const panel = new FakeTab();
    await make().restore(panel as never, saved, () => false);
    const view = sessions.views.all.find((item) => item.tab);
    return {
      panel,
      view,
      notices: view
        ? [...view.session.session.thread.entries].flatMap((entry) =>
            entry.kind === 'notice' ? [[entry.title, entry.actions]] : [],
          )
        : [],
    };
  };

  it('come back with their session, and start no agent', async () => {
    await said(1);
    const { view, notices, panel } = await restored({ threadId: id(1), isEmpty: false });
    expect([view?.session.id, notices, panel.title, started]).toEqual([id(1), [], 'A', []]);
  });

  it('take their session back from the side bar', async () => {
    const first = await said(1);
    await sessions.openSession(first.id);
    const { view } = await restored({ threadId: id(1) });
    expect([view?.session, sessions.views.sideBar.session === first]).toEqual([first, false]);
  });

  it('have no session where the user closed them before it was there', async () => {
    await said(1);
    await make().restore(new FakeTab() as never, { threadId: id(1) }, () => true);
    expect(sessions.views.all.filter(({ tab }) => tab)).toEqual([]);
  });

  it('are closed where another tab has the session already', async () => {
    const editors = make();
    editors.open(await said(1));
    const panel = new FakeTab();
    await editors.restore(panel as never, { threadId: id(1) }, () => false);
    expect(panel.done).toEqual(['close']);
  });

  it.each([
    undefined,
    'x',
    {},
    { threadId: 7 },
    { threadId: '../../etc', isEmpty: true },
    { threadId: id(8) },
    { threadId: id(8).toUpperCase() },
  ])('say that their session is gone: %j', async (saved) => {
    const { view, notices } = await restored(saved);
    expect([view?.session.hasBegun, notices, started]).toEqual([
      false,
      [['The session of this tab no longer exists', ['newSession']]],
      [],
    ]);
    expect(view?.session.id).not.toBe((saved as { threadId?: unknown } | undefined)?.threadId);
  });

  it('in which nothing was said are as they were, with the draft under their id', async () => {
    const { view, notices } = await restored({ threadId: id(8), isEmpty: true });
    expect([view?.draftKey, notices]).toEqual([id(8), []]);
  });

  it('move to another window, and take the draft of a new session along', async () => {
    const { session } = sessions.views.sideBar;
    await make().openInNewWindow(session);
    expect([moved.at(-1), desk.commands]).toEqual([
      ['new', session.id],
      ['workbench.action.moveEditorToNewWindow', 'workbench.action.lockEditorGroup'],
    ]);
    expect(sessions.views.active.session).toBe(session);
  });
});

describe('the agent that the user selects', () => {
  it('is told, for new workspaces to begin with it', async () => {
    await sessions.selectAgent('B');
    sessions.showNew();
    sessions.showNew(undefined, 'C');
    expect(selected).toEqual(['B', 'C']);
  });
});
