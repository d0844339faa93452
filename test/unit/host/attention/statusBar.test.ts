import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { ATTENTION_MS } from '../../../../src/host/attention/attentionItem';
import type { SessionService } from '../../../../src/host/sessions/sessionService';
import { StatusBar } from '../../../../src/host/attention/statusBar';
import type { SessionOption } from '../../../../src/thread/sessionOptions';
import { emptyThread, type Thread } from '../../../../src/thread/thread';
import { FakeClock } from '../../../fakes/fakeClock';
import { resetVscode, ThemeColor, told } from '../../../fakes/fakeVscode';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

interface Fields {
  readonly id?: string;
  readonly running?: boolean;
  readonly unread?: boolean;
  readonly failed?: boolean;
  /** Parley itself asks. */
  readonly asks?: boolean;
  readonly mode?: string;
}

function live({ id = 's', running = false, unread = false, failed = false, asks = false, mode }: Fields = {}) {
  const choices = mode === undefined ? [] : [{ value: mode, name: mode, description: `What ${mode} does` }];
  const shown = (current: string): SessionOption => ({
    key: 'mode',
    role: 'mode',
    type: 'select',
    source: 'modes',
    configId: '',
    name: 'Mode',
    current,
    choices,
  });
  const thread: Thread = {
    ...emptyThread,
    asks: asks ? [{ requestId: 'o', title: 'Sign in', at: 0 }] : [],
    ...(mode === undefined ? {} : { options: { ...emptyThread.options, shown: [shown(mode)] } }),
  };
  return {
    id,
    agent: 'Demo',
    cwd: '/work/app',
    title: undefined,
    unread,
    hasFailed: failed,
    session: { thread, isRunning: running },
  };
}

describe('StatusBar', () => {
  let changed: Emitter<void>;
  let clock: FakeClock;
  let sessions: {
    active: { agent: string; session: { thread: Thread }; connection: { view: { state: string } } };
    open: ReturnType<typeof live>[];
    onDidChange: unknown;
    runningAgentNamed: (name: string) => unknown;
  };
  const item = () =>
    told.statusBar as {
      text: string;
      tooltip: string;
      command: unknown;
      backgroundColor?: ThemeColor;
      accessibilityInformation: { label: string };
    };

  const show = (open: readonly ReturnType<typeof live>[], agent = 'Demo', state = 'ready', process?: object) => {
    sessions = {
      active: { agent, session: open.at(-1)?.session ?? live().session, connection: { view: { state } } },
      open: [...open],
      onDidChange: changed.event,
      runningAgentNamed: () => process,
    };
    return new StatusBar(sessions as unknown as SessionService, clock);
  };

  beforeEach(() => {
    resetVscode();
    changed = new Emitter();
    clock = new FakeClock();
  });

  it.each<[string, readonly Fields[], string, string]>([
    ['is quiet while nothing goes on', [{}], '$(comment-discussion) Demo', 'Parley: Demo'],
    ['names the mode', [{ mode: 'Ask' }], '$(comment-discussion) Demo · Ask', 'Parley: Demo · Ask'],
    ['says who works', [{ running: true }], '$(loading~spin) Demo · 1 running', 'Parley: Demo, 1 running'],
    [
      'what waits comes first',
      [{ asks: true }, { running: true }],
      '$(bell-dot) Demo · 1 waiting, 1 running',
      'Parley: Demo, 1 waiting, 1 running',
    ],
    [
      'tells what failed from what is only unread',
      [{ unread: true, failed: true }, { unread: true }],
      '$(comment-discussion) Demo · 1 failed, 1 unread',
      'Parley: Demo, 1 failed, 1 unread',
    ],
  ])('%s', (_what, open, text, label) => {
    show(open.map(live));
    expect(item()).toMatchObject({ text, accessibilityInformation: { label } });
  });

  it.each([
    ['starting', '$(loading~spin) Demo · starting'],
    ['failed', '$(warning) Demo · not running'],
    ['failed', '$(warning) Demo · no session', {}],
  ])('an agent that is %s: %s', (state, text, process?: object) => {
    show([live()], 'Demo', state, process);
    expect(item().text).toBe(text);
  });

  it('leads to what waits, else to what has ended unseen, else to the modes, the chat or the agents', () => {
    show([live({ id: 'old', unread: true }), live({ id: 'asks', asks: true }), live({ id: 'new', unread: true })]);
    expect(item().command).toMatchObject({ command: 'parley.openChat', arguments: ['asks'] });
    show([live({ id: 'old', unread: true }), live({ id: 'busy', unread: true, running: true })]);
    expect(item().command).toMatchObject({ arguments: ['old'] });
    show([live({ mode: 'Ask' })]);
    expect(item().command).toBe('parley.selectMode');
    show([live()]);
    expect(item().command).toBe('parley.openChat');
    show([live()], '');
    expect(item()).toMatchObject({ command: 'parley.selectAgent', text: '$(comment-discussion) Select an agent' });
  });

  it('warns with its colour of a mode that asks nothing', () => {
    show([live({ mode: 'bypassPermissions' })]);
    expect(item().backgroundColor).toEqual(new ThemeColor('statusBarItem.warningBackground'));
    show([live({ mode: 'Ask' })]);
    expect(item().backgroundColor).toBeUndefined();
  });

  it('makes no icon of what an agent calls itself', () => {
    show([live()], '$(check) Safe');
    expect(item().text).not.toContain('$(check)');
  });

  it('tells each session on hover, and follows changes a moment later, once for a burst of them', async () => {
    show([live()]);
    sessions.open = [live({ running: true }), live({ unread: true, failed: true })];
    for (let i = 0; i < 100; i++) changed.fire();
    expect(item().text).toBe('$(comment-discussion) Demo');
    await clock.advance(ATTENTION_MS);
    expect(item()).toMatchObject({
      text: '$(loading~spin) Demo · 1 running, 1 failed',
      tooltip: 'Parley: Demo\nDemo: working\nDemo: failed',
    });
  });
});
