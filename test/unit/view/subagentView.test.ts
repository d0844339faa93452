import { beforeEach, describe, expect, it } from 'vitest';
import type { PanelView } from '../../../src/protocol/viewModel';
import type { ToolCallFields } from '../../../src/acp/decodeUpdate';
import type { ThreadAction } from '../../../src/thread/actions';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread, type Thread } from '../../../src/thread/thread';
import { PanelProjector } from '../../../src/view/panelView';
import { entryView } from '../../../src/view/project';
import { ThreadPublisher } from '../../../src/view/publisher';
import { isInSubagent, subagentPanel } from '../../../src/view/subagentView';
import { FakeClock } from '../../fakes/fakeClock';
import { FakeWebview, readyPanel } from '../../fakes/fakeWebview';

let clock: FakeClock;
let thread: Thread;
const act = (action: ThreadAction) => (thread = reduce(thread, action));
const call = (toolCallId: string, fields: Partial<ToolCallFields> = {}) =>
  act({ type: 'toolCall/patched', at: clock.now(), fields: { title: toolCallId, ...fields, toolCallId } });
const say = (text: string, parentToolCallId?: string) =>
  act({
    type: 'message/chunkAppended',
    at: clock.now(),
    role: 'agent',
    content: { type: 'text', text },
    ...(parentToolCallId === undefined ? {} : { parentToolCallId }),
  });
const idOf = (toolCallId: string) => `e${thread.toolCalls.get(toolCallId)}`;
const shown = (of: string) =>
  [...thread.entries].flatMap((entry, index) => (isInSubagent(thread, index, idOf(of)) ? entry.id : []));

beforeEach(() => {
  clock = new FakeClock();
  thread = emptyThread;
  act({ type: 'turn/started', at: 0, turnId: 't', prompt: [{ type: 'text', text: 'Go' }] });
});

describe('a view of one subagent', () => {
  it('has its call, what belongs to it, and the subagents below it', () => {
    say('I shall look.');
    call('A');
    call('B');
    call('A1', { parentToolCallId: 'A' });
    call('B1', { parentToolCallId: 'B' });
    say('It recurses.', 'A1');
    call('A2', { parentToolCallId: 'A1' });
    say('Done.');
    expect(shown('A')).toEqual([idOf('A'), idOf('A1'), 'e6', idOf('A2')]);
    expect(shown('A1')).toEqual([idOf('A1'), 'e6', idOf('A2')]);
    expect(shown('B')).toEqual([idOf('B'), idOf('B1')]);
  });

  it('follows, and has nothing of the session around it', async () => {
    call('A', { kind: 'think', status: 'in_progress' });
    const webview = new FakeWebview();
    const projector = new PanelProjector();
    const publisher = new ThreadPublisher(
      {
        thread: () => thread,
        threadId: () => 't',
        panel: (): PanelView => subagentPanel(readyPanel(projector, thread), thread, idOf('A')),
        terminals: () => [],
        ui: () => ({ draft: '', mentions: [], expanded: {} }),
        cwd: () => '/w',
        shows: (of, index) => isInSubagent(of, index, idOf('A')),
      },
      webview,
      clock,
    );
    const inSync = async (snapshots: number) => {
      publisher.mark();
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(16);
      const { order, entries, panel } = webview.replica!;
      const expected = shown('A').map((id) => entryView(thread.entries.at(Number(id.slice(1)))!, '/w'));
      expect(order.map((id) => entries.get(id))).toEqual(JSON.parse(JSON.stringify(expected)));
      expect(panel).toMatchObject({ subagent: idOf('A'), turn: { running: false }, plan: [], queue: [] });
      expect(webview.received.filter(({ type }) => type === 'thread/snapshot')).toHaveLength(snapshots);
    };
    publisher.snapshot();
    await inSync(1);
    call('A1', { parentToolCallId: 'A' });
    say('Of the agent.');
    await inSync(1);
    say('Of A', 'A');
    await inSync(1);
    say(' and more', 'A');
    call('C');
    call('C1', { parentToolCallId: 'C' });
    await inSync(1);
    expect(webview.replica!.order).toHaveLength(3);
    // A call whose parent is named later brings along what came before.
    call('C', { parentToolCallId: 'A' });
    await inSync(2);
    expect(webview.replica!.order).toHaveLength(5);
    call('A', { title: 'Read the parser', status: 'completed' });
    await inSync(2);
    expect(webview.replica!.panel.title).toBe('Read the parser');
  });

  it('waits only for its own questions', () => {
    call('A');
    call('A1', { parentToolCallId: 'A' });
    const asks = (toolCallId: string, requestId: string) =>
      act({
        type: 'permission/requested',
        at: 0,
        requestId,
        options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
        fields: { toolCallId, title: toolCallId },
      });
    asks('A1', 'r1');
    asks('other', 'r2');
    const panel = readyPanel(new PanelProjector(), thread);
    expect(panel.pendingQuestions).toHaveLength(2);
    expect(subagentPanel(panel, thread, idOf('A')).pendingQuestions.map(({ entryId }) => entryId)).toEqual([
      idOf('A1'),
    ]);
  });
});
