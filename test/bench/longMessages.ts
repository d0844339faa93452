import type { ToolCallFields } from '../../src/acp/decodeUpdate';
import type { ToWebview } from '../../src/protocol/messages';
import type { ThreadAction } from '../../src/thread/actions';
import { reduce } from '../../src/thread/reducer';
import { emptyThread } from '../../src/thread/thread';
import { PanelProjector } from '../../src/view/panelView';
import { ThreadPublisher } from '../../src/view/publisher';
import { FakeClock } from '../fakes/fakeClock';
import { FakeWebview, readyPanel } from '../fakes/fakeWebview';

/**
 * What the host sends of a long thread when the panel is shown: `calls` are 10,000 tool calls with diffs, `turns` 1,500
 * turns.
 */
export async function longMessages(shape: string): Promise<readonly ToWebview[]> {
  const clock = new FakeClock();
  const webview = new FakeWebview();
  const actions = shape === 'calls' ? calls(10_000) : shape === 'turns' ? turns(1_500) : [];
  let thread = emptyThread;
  for (const action of actions) thread = reduce(thread, action);
  const panel = readyPanel(new PanelProjector(), thread);
  const ui = { draft: '', mentions: [], expanded: {} };
  const publisher = new ThreadPublisher(
    {
      thread: () => thread,
      threadId: () => 't',
      panel: () => panel,
      terminals: () => [],
      ui: () => ui,
      cwd: () => '/work',
    },
    webview,
    clock,
  );
  publisher.snapshot();
  while (!webview.replica!.isWhole) {
    await Promise.resolve();
    clock.advance(16);
  }
  publisher.dispose();
  return webview.received;
}

function call(id: string, title: string, fields: Partial<ToolCallFields>): ThreadAction {
  return { type: 'toolCall/patched', at: 1, fields: { toolCallId: id, title, status: 'completed', ...fields } };
}

function* calls(count: number): Generator<ThreadAction> {
  for (let n = 0; n < count; n++) {
    const text = (old: boolean) =>
      Array.from(
        { length: 12 },
        (_, i) => `  const value${n}_${i} = compute(${i}, 'some words of ${old && i % 3 === 0 ? 'old ' : ''}code');\n`,
      ).join('');
    const path = `/work/file${n}.ts`;
    yield call(`c${n}`, `Edit file${n}.ts`, {
      kind: 'edit',
      locations: [{ path }],
      content: [{ type: 'diff', path, oldText: text(true), newText: text(false) }],
    });
  }
}

function* turns(count: number): Generator<ThreadAction> {
  for (let n = 0; n < count; n++) {
    yield { type: 'turn/started', at: 1, turnId: `t${n}`, prompt: [{ type: 'text', text: `Prompt ${n}` }] };
    for (const name of ['r', 's']) yield call(`${name}${n}`, `Read file${n}.ts`, { kind: 'read' });
    const text = `## Answer ${n}\n\nSome **words** about \`file${n}.ts\`, in a paragraph of two lines that wraps where the panel is narrow.\n\n- one\n- two\n\n\`\`\`ts\nexport const answer${n} = ${n};\n\`\`\`\n`;
    yield { type: 'message/chunkAppended', at: 1, role: 'agent', content: { type: 'text', text } };
    yield { type: 'turn/ended', at: 1, turnId: `t${n}`, stopReason: 'end_turn' };
  }
}
