import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { ChatPanels } from '../../../../src/host/panel/chatPanels';
import { PermissionAnswers } from '../../../../src/host/panel/permissionAnswers';
import { ChatView, ChatViews } from '../../../../src/host/sessions/chatViews';
import { FakeClock } from '../../../fakes/fakeClock';

const contexts = vi.hoisted(() => [] as unknown[][]);
vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  commands: { executeCommand: async (...args: unknown[]) => void contexts.push(args) },
}));

let views: ChatViews;
let panels: ChatPanels;

/** A panel as far as the registry knows it. */
function join(view: ChatView) {
  const done: unknown[] = [];
  const [visibility, focus] = [new Emitter<boolean>(), new Emitter<boolean>()];
  const panel = {
    isVisible: false,
    hasFocus: false,
    onDidChangeVisibility: visibility.event,
    onDidChangeFocus: focus.event,
    reveal: async () => done.push('reveal'),
    deliver: (message: unknown) => done.push(message),
    post: (message: unknown) => done.push(message),
    publisher: { mark: () => done.push('mark') },
  };
  panels.add({ view, panel, attachments: {}, dispose: () => done.push('disposed') } as never);
  return {
    view,
    done,
    show: (isVisible: boolean) => visibility.fire((panel.isVisible = isVisible)),
    focus: (hasFocus: boolean) => focus.fire((panel.hasFocus = hasFocus)),
  };
}

function tab(session: object) {
  const view = new ChatView({ reveal: () => undefined, close: () => undefined });
  views.show(view, session as never);
  return join(view);
}

beforeEach(() => {
  contexts.length = 0;
  views = new ChatViews();
  views.show(views.sideBar, { id: 's' } as never);
  panels = new ChatPanels(views);
});

describe('the panels of all views', () => {
  it('what a command wants goes to the one that had the focus last, also while the palette has it', () => {
    const [sideBar, first, second] = [join(views.sideBar), tab({ id: '1' }), tab({ id: '2' })];
    first.focus(true);
    first.focus(false);
    void panels.reveal();
    panels.deliver({ type: 'composer/say', text: 'x' });
    expect([sideBar.done, first.done, second.done]).toEqual([[], ['reveal', { type: 'composer/say', text: 'x' }], []]);
    void panels.revealSideBar();
    expect([sideBar.done, panels.active.view]).toEqual([['reveal'], views.sideBar]);
    expect(panels.showing('2')).toBe(panels.all.find(({ view }) => view === second.view)?.panel);
    expect(panels.showing('nobody')).toBeUndefined();
  });

  it('the context key is true while any of them has the focus, whichever tells it first', () => {
    const [sideBar, first] = [join(views.sideBar), tab({ id: '1' })];
    sideBar.focus(true);
    first.focus(true);
    sideBar.focus(false);
    first.focus(false);
    expect(contexts).toEqual([
      ['setContext', 'parley.chatFocused', true],
      ['setContext', 'parley.chatFocused', false],
    ]);
    first.focus(true);
    views.remove(first.view);
    panels.remove(first.view);
    expect([contexts.at(-1), first.done, panels.active.view]).toEqual([
      ['setContext', 'parley.chatFocused', false],
      ['disposed'],
      views.sideBar,
    ]);
  });

  it('a change is told to all, a sound to one that can be seen', () => {
    const [sideBar, first] = [join(views.sideBar), tab({ id: '1' })];
    panels.mark();
    panels.postToVisible({ type: 'composer/say', text: 'nobody' });
    first.show(true);
    panels.postToVisible({ type: 'composer/say', text: 'x' });
    expect([sideBar.done, first.done, first.view.isVisible, panels.isVisible]).toEqual([
      ['mark'],
      ['mark', { type: 'composer/say', text: 'x' }],
      true,
      true,
    ]);
  });

  it('what happens in a thread is told to its own view, and to all if it asks something else', () => {
    const [sideBar, first] = [join(views.sideBar), tab({ id: '1' })];
    const marked = () => [sideBar.done.splice(0).length, first.done.splice(0).length];
    const question = { kind: 'toolCall' };
    const live = { id: '1', session: { thread: { asks: [], waiting: [], entries: { at: () => question } } } };
    const change = (thread: object, part = 'thread') => {
      live.session.thread = { ...live.session.thread, ...thread };
      panels.markFor({ session: live, part } as never);
      return marked();
    };
    expect(change({})).toEqual([0, 1]);
    expect(change({ waiting: [{ index: 0 }] })).toEqual([1, 1]);
    expect(change({ waiting: [{ index: 0 }] })).toEqual([0, 1]);
    expect(change({ entries: { at: () => ({ ...question, isAssessed: true }) } })).toEqual([1, 1]);
    expect(change({ waiting: [] })).toEqual([1, 1]);
    expect(change({}, 'queue')).toEqual([1, 1]);
  });
});

it('a key answers what the view with the focus shows, and nothing that another view shows', async () => {
  const clock = new FakeClock();
  const answered: string[] = [];
  const waiting = (id: string, at: number) => {
    const permission = {
      requestId: id,
      revision: 0,
      subject: { title: id, options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }] },
    };
    const thread = {
      waiting: [{ requestId: id, index: 0, at }],
      entries: { at: () => ({ kind: 'toolCall', permissions: [permission] }) },
    };
    return { id, session: { thread, selectPermission: (name: string) => answered.push(name) > 0 } };
  };
  const [older, newer] = [waiting('older', 0), waiting('newer', 1)];
  views.show(views.sideBar, older as never);
  const [sideBar, first] = [join(views.sideBar), tab(newer)];
  for (const { show } of [sideBar, first]) show(true);
  const answers = new PermissionAnswers({
    sessions: { open: [older, newer], views, openSession: async () => true },
    panels,
    clock,
    log: silentLogger,
  } as never);
  answers.handleShown(views.sideBar, 'older', true);
  answers.handleShown(first.view, 'newer', true);
  clock.advance(1_000);
  first.focus(true);
  await answers.allow();
  expect(answered).toEqual(['newer']);
  sideBar.focus(true);
  await answers.allow();
  expect(answered).toEqual(['newer', 'older']);
  // What cannot be seen any more is not answered.
  sideBar.show(false);
  await answers.allow();
  expect(answered).toHaveLength(2);
});
