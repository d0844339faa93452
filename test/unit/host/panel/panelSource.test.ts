import { describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { type PanelPart, PanelSource, waitingElsewhere } from '../../../../src/host/panel/panelSource';
import { ChatView } from '../../../../src/host/sessions/chatViews';
import type { ToWebview } from '../../../../src/protocol/messages';
import { silentLogger } from '../../../../src/base/log';
import { Session } from '../../../../src/thread/session';
import { ThreadPublisher } from '../../../../src/view/publisher';
import { FakeClock } from '../../../fakes/fakeClock';
import { emptyThread } from '../../../../src/thread/thread';
import { reduce } from '../../../../src/thread/reducer';
import { MemoryState } from '../../../fakes/memoryState';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const ui = (draft: string) => ({ draft, mentions: [], expanded: {} });

describe('a draft that the panel takes along into another session', () => {
  const begun = reduce(emptyThread, {
    type: 'turn/started',
    at: 1,
    turnId: 't',
    prompt: [{ type: 'text', text: 'Hello' }],
  });
  const start = () => {
    const view = new ChatView();
    const switched = new Emitter<object>();
    const show = (id: string, isMove = false) => {
      view.session = { id, session: { id, thread: begun } } as never;
      switched.fire({ view, isMove });
    };
    show('a');
    const source = new PanelSource(view, {
      state: new MemoryState(),
      sessions: { views: { onDidSwitch: switched.event } },
      parts: [],
      forms: new Map(),
    } as never);
    return { source, show };
  };

  it.each<readonly [string, readonly (readonly [session: string, draft: string])[], string, string]>([
    [
      'is no draft any more once it is sent',
      [
        ['a', 'foo'],
        ['b', 'foo'],
      ],
      'foo',
      '',
    ],
    [
      'also where more was typed',
      [
        ['a', 'foo'],
        ['b', 'foo and more'],
      ],
      'foo and more',
      '',
    ],
    [
      'also by way of a third',
      [
        ['a', 'foo'],
        ['b', 'foo'],
        ['c', 'foo'],
      ],
      'foo',
      '',
    ],
    [
      'stays one where other words are sent',
      [
        ['a', 'foo'],
        ['b', 'other'],
      ],
      'other',
      'foo',
    ],
    [
      'stays one where the other session has its own',
      [
        ['b', 'foo too'],
        ['a', 'foo'],
        ['b', 'foo too'],
      ],
      'foo too',
      'foo',
    ],
  ])('%s', (_, steps, sent, left) => {
    const { source, show } = start();
    for (const [session, draft] of steps) {
      show(session);
      source.saveUi(ui(draft));
    }
    source.forgetSent(sent);
    source.saveUi(ui(''));
    show('a');
    expect(source.ui().draft).toBe(left);
  });
});

it('what was sent as a first prompt is not the draft of the next session', () => {
  const state = new MemoryState();
  const session = { id: 's', thread: emptyThread };
  const view = new ChatView();
  view.session = { id: 's', session } as never;
  const switched = new Emitter<object>();
  const source = new PanelSource(view, {
    state,
    sessions: { views: { onDidSwitch: switched.event } },
    parts: [],
    forms: new Map(),
  } as never);
  source.saveUi(ui('Fix the bug'));
  session.thread = reduce(emptyThread, {
    type: 'turn/started',
    at: 1,
    turnId: 't',
    prompt: [{ type: 'text', text: 'Fix the bug' }],
  });
  source.saveUi(ui(''));
  view.session = { id: 'n', session: { id: 'n', thread: emptyThread } } as never;
  switched.fire({ view, isMove: false });
  expect(source.ui()).toEqual(ui(''));
  // One that was typed and not sent is.
  source.saveUi(ui('half a thought'));
  view.session = { id: 'm', session: { id: 'm', thread: emptyThread } } as never;
  switched.fire({ view, isMove: true });
  expect(source.ui()).toEqual({ ...ui('half a thought'), hasMoved: true });
});

it('a request of another session is shown only where no other view shows it', () => {
  const asked = (id: string) => ({
    id,
    agent: 'Fake',
    cwd: '/w',
    session: { thread: { ...emptyThread, asks: [{ title: `Go on with ${id}?` }] } },
  });
  const [shown, beside, covered, hidden] = ['shown', 'beside', 'covered', 'hidden'].map(asked);
  const visible = new Map([
    ['shown', true],
    ['beside', true],
    ['covered', false],
  ]);
  const views = { showing: (id: string) => (visible.has(id) ? { isVisible: visible.get(id) } : undefined) };
  expect(
    waitingElsewhere(shown as never, { open: [shown, beside, covered, hidden] as never, views: views as never }).map(
      ({ key }) => key,
    ),
  ).toEqual(['covered', 'hidden']);
});

it('asks for the list and the gallery again only where they say so, however much an agent writes', () => {
  let [asked, compared] = [0, 0];
  const changed = new Emitter<void>();
  const page = () => ({ items: [], toJSON: () => compared++ }) as never;
  const pages: PanelPart = {
    changes: [changed.event],
    piece: () => (asked++, { sessions: page(), gallery: page() }),
  };
  const clock = new FakeClock();
  const session = new Session('s', clock, silentLogger);
  const view = new ChatView();
  const live = {
    id: 's',
    agent: 'A',
    cwd: '/w',
    session,
    queue: { list: [] },
    restoredTerminals: [],
    connection: { view: { state: 'ready' } },
  };
  view.session = { ...live, signIn: {} } as never;
  const views = { onDidSwitch: new Emitter<never>().event, showing: () => view };
  const source = new PanelSource(view, {
    state: new MemoryState(),
    sessions: { views, open: [], history: [] },
    terminals: { opened: undefined },
    parts: [pages],
    forms: new Map(),
  } as never);
  const posted: ToWebview[] = [];
  const target = { post: async (message: ToWebview) => (posted.push(message), true), failed: () => undefined };
  const publisher = new ThreadPublisher(source, target, clock);
  source.onDidChange(() => publisher.mark());
  publisher.snapshot();
  for (let i = 0; i < 100; i++) {
    session.applyUpdate({ type: 'chunk', role: 'agent', content: { type: 'text', text: `word ${i} ` } } as never, i);
    publisher.mark();
    publisher.settle();
  }
  expect(session.thread.entries.length).toBeGreaterThan(0);
  expect([posted.length > 100, asked, compared]).toEqual([true, 1, 0]);
  changed.fire();
  publisher.settle();
  expect(asked).toBe(2);
  source.dispose();
  session.dispose();
});
