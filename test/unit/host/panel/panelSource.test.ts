import { expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { PanelSource } from '../../../../src/host/panel/panelSource';
import { ChatView } from '../../../../src/host/sessions/chatViews';
import { emptyThread } from '../../../../src/thread/thread';
import { reduce } from '../../../../src/thread/reducer';
import { MemoryState } from '../../../fakes/memoryState';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const ui = (draft: string) => ({ draft, mentions: [], expanded: {} });

it('what was sent as a first prompt is not the draft of the next session', () => {
  const state = new MemoryState();
  const session = { id: 's', thread: emptyThread };
  const view = new ChatView();
  view.session = { id: 's', session } as never;
  const switched = new Emitter<object>();
  const source = new PanelSource({ view, state, sessions: { views: { onDidSwitch: switched.event } }, forms: new Map() } as never);
  source.saveUi(ui('Fix the bug'));
  session.thread = reduce(emptyThread, { type: 'turn/started', at: 1, turnId: 't', prompt: [{ type: 'text', text: 'Fix the bug' }] });
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
