import { beforeEach, describe, expect, it } from 'vitest';
import type { TerminalView } from '../../../src/protocol/terminalView';
import type { PanelUiState, PanelView } from '../../../src/protocol/viewModel';
import type { ThreadAction } from '../../../src/thread/actions';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread, type Thread } from '../../../src/thread/thread';
import { PanelProjector } from '../../../src/view/panelView';
import { entryView } from '../../../src/view/project';
import { ThreadPublisher } from '../../../src/view/publisher';
import { FakeClock } from '../../fakes/fakeClock';
import { FakeWebview, readyPanel } from '../../fakes/fakeWebview';

describe('ThreadPublisher', () => {
  let clock: FakeClock;
  let webview: FakeWebview;
  let publisher: ThreadPublisher;
  let thread: Thread;
  let terminals: TerminalView[];
  let scroll: PanelUiState['scroll'];
  const projector = new PanelProjector();
  const panel = (): PanelView => readyPanel(projector, thread);

  beforeEach(() => {
    clock = new FakeClock();
    webview = new FakeWebview();
    thread = emptyThread;
    terminals = [];
    scroll = undefined;
    publisher = new ThreadPublisher(
      {
        thread: () => thread,
        threadId: () => 't',
        panel,
        terminals: () => terminals,
        ui: () => ({ draft: '', mentions: [], expanded: {}, ...(scroll ? { scroll } : {}) }),
        cwd: () => '/w',
      },
      webview,
      clock,
    );
  });

  function act(action: ThreadAction): void {
    thread = reduce(thread, action);
    publisher.mark();
  }
  /** Lets time pass once the webview has answered. */
  const step = async (ms: number): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(ms);
  };
  const chunk = (text: string): ThreadAction => ({
    type: 'message/chunkAppended',
    at: clock.now(),
    role: 'agent',
    content: { type: 'text', text },
  });
  const patches = () => webview.received.filter((message) => message.type === 'thread/patch');
  const expectInSync = () => {
    const expected = JSON.parse(
      JSON.stringify({ panel: panel(), entries: [...thread.entries].map((entry) => entryView(entry, '/w')) }),
    ) as object;
    expect({
      panel: webview.replica!.panel,
      entries: webview.replica!.order.map((id) => webview.replica!.entries.get(id)),
    }).toEqual(expected);
  };

  /** Lets the webview take all that it has not been sent yet. */
  const settle = async () => {
    for (let i = 0; i < 1_000 && !webview.replica!.isWhole; i++) {
      await Promise.resolve();
      clock.advance(16);
    }
    expectInSync();
  };
  /** Long enough for many messages. */
  const addTurns = (count: number) => {
    for (let i = 0; i < count; i++) {
      act({
        type: 'turn/started',
        at: clock.now(),
        turnId: `turn${i}`,
        prompt: [{ type: 'text', text: `Prompt ${i}` }],
      });
      act(chunk(`answer ${i} `.repeat(300)));
      act({ type: 'turn/ended', at: clock.now(), turnId: `turn${i}`, stopReason: 'end_turn' });
    }
  };
  const order = () => webview.replica!.order;

  it('says nothing before the webview is ready', () => {
    act(chunk('a'));
    clock.advance(100);
    expect(webview.received).toEqual([]);
  });

  it('sends what comes within a frame as one message', async () => {
    publisher.snapshot();
    for (let i = 0; i < 1_000; i++) act(chunk(`${i} `));
    await step(16);
    expect(patches()).toHaveLength(1);
    expectInSync();
  });

  it('joins what comes of a flood while VS Code has not taken the message before, but for the end of a turn', async () => {
    act({ type: 'turn/started', at: clock.now(), turnId: 't1', prompt: [{ type: 'text', text: 'Go' }] });
    publisher.snapshot();
    webview.late = [];
    await step(100);
    const flood = async () => {
      for (let i = 0; i < 10; i++) act(chunk(`${i}`));
      await step(16);
    };
    for (let i = 0; i < 4; i++) await flood();
    expect(patches()).toHaveLength(1);
    webview.late.shift()!();
    await step(0);
    expect(patches()).toHaveLength(2);
    expectInSync();
    // Far from VS Code an answer takes long. Who reads along does not wait for it.
    for (const text of ['a', 'b']) {
      act(chunk(text));
      await step(16);
    }
    expect(patches()).toHaveLength(4);
    // An answer that never comes holds nothing up for long.
    for (let i = 0; i < 12; i++) await flood();
    expect(patches()).toHaveLength(4);
    await flood();
    expect(patches()).toHaveLength(5);
    act({ type: 'turn/ended', at: clock.now(), turnId: 't1', stopReason: 'end_turn' });
    await step(0);
    expectInSync();
  });

  it('lets nothing wait that comes after a pause, nor the end of a turn', async () => {
    act({ type: 'turn/started', at: clock.now(), turnId: 't1', prompt: [{ type: 'text', text: 'Go' }] });
    publisher.snapshot();
    await step(100);
    act(chunk('first'));
    await step(0);
    expect(patches()).toHaveLength(1);
    act(chunk(' second'));
    await step(15);
    expect(patches()).toHaveLength(1);
    await step(1);
    expect(patches()).toHaveLength(2);
    act(chunk(' third'));
    act({ type: 'turn/ended', at: clock.now(), turnId: 't1', stopReason: 'end_turn' });
    await step(0);
    expect(patches()).toHaveLength(3);
    expectInSync();
  });

  it('sends only what was appended, however long the message has become', async () => {
    publisher.snapshot();
    for (let i = 0; i < 2_000; i++) act(chunk('x'.repeat(50)));
    await step(16);
    act(chunk('tail'));
    await step(16);
    expect(JSON.stringify(patches().at(-1)).length).toBeLessThan(300);
    expectInSync();
  });

  it('queues nothing for a hidden webview and tells all when it comes back', () => {
    publisher.snapshot();
    act(chunk('a'));
    publisher.pause();
    for (let i = 0; i < 100; i++) act(chunk('b'));
    clock.advance(1_000);
    expect(patches()).toHaveLength(0);
    publisher.snapshot();
    expectInSync();
  });

  it('recovers from a lost message with a snapshot', async () => {
    publisher.snapshot();
    webview.takes = false;
    act(chunk('lost'));
    await step(16);
    await Promise.resolve();
    webview.takes = true;
    act(chunk(' found'));
    await step(16);
    expect(webview.received.at(-1)!.type).toBe('thread/snapshot');
    expectInSync();
  });

  it('a patch out of order makes the receiver ask, not guess', async () => {
    publisher.snapshot();
    act(chunk('a'));
    await step(16);
    const { stamp } = patches()[0]!;
    expect(webview.receiver.classifyPatch(stamp)).toBe('drop');
    expect(webview.receiver.classifyPatch({ ...stamp, sequence: stamp.sequence + 2 })).toBe('resync');
    expect(webview.receiver.classifyPatch({ generation: stamp.generation + 1, sequence: 1 })).toBe('resync');
  });

  it('another thread is told whole', () => {
    act(chunk('one'));
    publisher.snapshot();
    thread = reduce(emptyThread, chunk('two'));
    publisher.reset();
    clock.advance(16);
    expect(webview.received.at(-1)!.type).toBe('thread/snapshot');
    expectInSync();
  });

  it('terminal rows replace from the first that changed and drop what scrolled out', async () => {
    const base = { terminalId: 't', running: true, canOpen: true };
    terminals = [{ ...base, firstRow: 0, rows: [[{ text: 'a' }], [{ text: '10%' }]] }];
    publisher.snapshot();
    publisher.markTerminal({
      op: 'terminal/rows',
      terminalId: 't',
      firstRow: 1,
      start: 1,
      rows: [[{ text: '90%' }], [{ text: 'done' }]],
    });
    await step(16);
    expect(webview.replica!.terminals.get('t')).toMatchObject({
      firstRow: 1,
      rows: [[{ text: '90%' }], [{ text: 'done' }]],
    });
  });

  it('sends again by itself what the webview did not take, less and less often', async () => {
    publisher.snapshot();
    webview.takes = false;
    let asked = 0;
    const { post } = webview;
    webview.post = (message) => (asked++, post(message));
    act(chunk('lost'));
    for (let ms = 0; ms < 2_000; ms += 4) {
      clock.advance(4);
      await Promise.resolve();
    }
    expect(asked).toBeGreaterThan(3);
    expect(asked).toBeLessThan(12);
    webview.takes = true;
    clock.advance(1_000);
    expectInSync();
  });

  it('sends again by itself what the webview did not take because it threw', async () => {
    publisher.snapshot();
    const { post } = webview;
    webview.post = () => {
      throw new Error('the view is disposed');
    };
    act(chunk('lost'));
    clock.advance(16);
    await Promise.resolve();
    webview.post = post;
    clock.advance(1_000);
    expectInSync();
  });

  it('sends the end of a long thread first and the rest in parts that the webview takes one by one', async () => {
    addTurns(2_000);
    publisher.snapshot();
    const [snapshot] = webview.received;
    expect(JSON.stringify(snapshot).length).toBeLessThan(700_000);
    expect(order().at(-1)).toBe('e3999');
    const sent = order().length;
    clock.advance(1_000);
    expect(order().length).toBe(sent);
    act(chunk('news'));
    act({ type: 'title/changed', at: clock.now(), title: 'New' });
    await settle();
    expect(Math.max(...patches().map((message) => JSON.stringify(message).length))).toBeLessThan(700_000);
  });

  it('sends what is around the place where the user was first, then the way to the end', async () => {
    addTurns(2_000);
    scroll = { entryId: 'e1000', offset: 0 };
    publisher.snapshot();
    expect(order()).toContain('e1000');
    expect(order()).toContain('e990');
    expect(order()).toContain('e1030');
    expect(order()).not.toContain('e3999');
    act(chunk('news'));
    await settle();
  });

  it('begins a part with a prompt', async () => {
    addTurns(2_000);
    publisher.snapshot();
    await settle();
    for (const {
      patches: [patch],
    } of patches())
      if (patch?.op === 'entry/addRest') expect(patch.entries[0]!.kind).toBe('userMessage');
  });

  it('shows a line for a card that fails, and the rest of the thread', async () => {
    publisher.snapshot();
    act(chunk('before'));
    act({ type: 'toolCall/patched', at: 0, fields: { toolCallId: 'good', title: 'Good' } });
    act({
      type: 'toolCall/patched',
      at: 0,
      fields: {
        toolCallId: 'bad',
        title: 'Bad',
        rawInput: {
          toJSON: () => {
            throw new Error('bad card');
          },
        },
      },
    });
    act(chunk('after'));
    await step(16);
    const shown = () => webview.replica!.order.map((id) => webview.replica!.entries.get(id));
    const expected = [
      'agentMessage',
      'toolCall',
      { kind: 'toolCall', status: 'failed', title: 'This part cannot be shown. See the log for the error.' },
      'agentMessage',
    ].map((item) => expect.objectContaining(typeof item === 'string' ? { kind: item } : item) as object);
    expect(shown()).toEqual(expected);
    expect(webview.failures).toEqual([new Error('bad card')]);
    // It is no different in a snapshot, and the next state may be one that can be shown.
    publisher.snapshot();
    expect(shown()).toEqual(expected);
    act({ type: 'toolCall/patched', at: 0, fields: { toolCallId: 'bad', rawInput: {} } });
    await step(16);
    expect(shown()[2]).toMatchObject({ kind: 'toolCall', title: 'Bad' });
    await settle();
  });

  it('stays in sync over random actions, with a webview that comes and goes', async () => {
    let state = 42;
    const next = (limit: number) => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % limit;
    publisher.snapshot();
    let live = true;
    for (let step = 0; step < 4_000; step++) {
      const at = clock.now();
      const actions: ThreadAction[] = [
        chunk('word '.repeat(1 + next(400))),
        { type: 'message/chunkAppended', at, role: 'thought', content: { type: 'text', text: 'hm ' } },
        {
          type: 'message/chunkAppended',
          at,
          role: 'agent',
          content: { type: 'image', data: '', mimeType: 'image/png' },
        },
        {
          type: 'toolCall/patched',
          at,
          fields: {
            toolCallId: `t${next(30)}`,
            title: `T${next(9)}`,
            status: (['pending', 'in_progress', 'completed', 'failed'] as const)[next(4)]!,
          },
        },
        {
          type: 'permission/requested',
          at,
          requestId: `p${step}`,
          fields: { toolCallId: `t${next(30)}` },
          options: [{ optionId: 'a', name: 'A', kind: 'allow_once' }],
        },
        { type: 'permission/resolved', at, requestId: thread.waiting[0]?.requestId ?? 'none' },
        { type: 'turn/started', at, turnId: `turn${step}`, prompt: [{ type: 'text', text: 'go' }] },
        { type: 'turn/stopRequested', at },
        {
          type: 'turn/ended',
          at,
          turnId: thread.turn?.turnId ?? 'none',
          stopReason: (['end_turn', 'refusal', 'cancelled'] as const)[next(3)]!,
        },
        { type: 'notice/added', at, severity: 'info', title: 'N' },
        { type: 'title/changed', at, title: next(2) ? 'Title' : undefined },
      ];
      act(actions[next(actions.length)]!);
      if (next(5) === 0) clock.advance(16);
      if (next(3) === 0) await Promise.resolve();
      if (next(100) === 0) {
        scroll = next(2) ? { entryId: `e${next(thread.entries.length + 1)}`, offset: 0 } : undefined;
        if (live) publisher.pause();
        else publisher.snapshot();
        live = !live;
      }
    }
    if (!live) publisher.snapshot();
    await settle();
    expect(webview.resyncs).toBe(0);
  });
});
