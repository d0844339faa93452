import { describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { PanelSource, waitingElsewhere } from '../../../../src/host/panel/panelSource';
import { ChatView } from '../../../../src/host/sessions/chatViews';
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
    const source = new PanelSource({
      view,
      state: new MemoryState(),
      sessions: { views: { onDidSwitch: switched.event } },
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
  const source = new PanelSource({
    view,
    state,
    sessions: { views: { onDidSwitch: switched.event } },
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
