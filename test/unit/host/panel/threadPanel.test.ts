import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { type PanelSurface, ThreadPanel } from '../../../../src/host/panel/threadPanel';
import { emptyThread } from '../../../../src/thread/thread';
import { PanelProjector } from '../../../../src/view/panelView';
import { FakeClock } from '../../../fakes/fakeClock';
import { readyPanel } from '../../../fakes/fakeWebview';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));
vi.mock('../../../../src/host/panel/webviewHtml', () => ({ webviewHtml: () => '' }));

let clock: FakeClock;
let panel: ThreadPanel;
const [received, hidden, disposed] = [new Emitter<unknown>(), new Emitter<unknown>(), new Emitter<void>()];
let posted: unknown[];
let surface: { visible: boolean };

beforeEach(() => {
  clock = new FakeClock();
  posted = [];
  const projector = new PanelProjector();
  const source = {
    thread: () => emptyThread,
    threadId: () => 't',
    panel: () => readyPanel(projector, emptyThread),
    terminals: () => [],
    ui: () => ({ draft: '', mentions: [], expanded: {} }),
    cwd: () => '/w',
  };
  panel = new ThreadPanel({ path: '/x' } as never, source, clock, silentLogger, () => undefined);
  const webview = {
    onDidReceiveMessage: received.event,
    postMessage: async (message: { readonly type: string }) => void posted.push(message.type),
  };
  surface = {
    visible: true,
    webview,
    onDidChange: hidden.event,
    onDidDispose: disposed.event,
  } as unknown as PanelSurface;
  panel.attach(surface as PanelSurface);
});

/** @returns tells whether the panel was revealed. */
async function reveal(): Promise<() => Promise<boolean>> {
  let isDone = false;
  void panel.reveal().then(() => (isDone = true));
  const settled = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return isDone;
  };
  await settled();
  return settled;
}

describe('who reveals a panel waits for its script', () => {
  it('each time, also after one wait was given up', async () => {
    const first = await reveal();
    clock.advance(4_999);
    expect(await first()).toBe(false);
    clock.advance(1);
    expect(await first()).toBe(true);
    const second = await reveal();
    expect(await second()).toBe(false);
    received.fire({ type: 'ready' });
    expect(await second()).toBe(true);
    expect(posted).toContain('focus/set');
  });

  it('together, each for as long as it waits itself', async () => {
    const first = await reveal();
    clock.advance(3_000);
    const second = await reveal();
    clock.advance(2_000);
    expect([await first(), await second()]).toEqual([true, false]);
    clock.advance(3_000);
    expect(await second()).toBe(true);
  });

  it('until it is hidden', async () => {
    const first = await reveal();
    surface.visible = false;
    hidden.fire(undefined);
    expect(await first()).toBe(true);
    surface.visible = true;
    hidden.fire(undefined);
    const second = await reveal();
    expect(await second()).toBe(false);
    received.fire({ type: 'ready' });
    expect(await second()).toBe(true);
  });
});
