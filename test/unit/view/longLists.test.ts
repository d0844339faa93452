import { describe, expect, it } from 'vitest';
import { decodeUpdate, type Update } from '../../../src/acp/decodeUpdate';
import type { ThreadAction } from '../../../src/thread/actions';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread, type Thread } from '../../../src/thread/thread';
import { maxShown, wholeList } from '../../../src/view/longLists';
import { PanelProjector } from '../../../src/view/panelView';
import type { toolCallView } from '../../../src/view/projectToolCall';
import { entryView } from '../../../src/view/project';
import { ThreadPublisher } from '../../../src/view/publisher';
import { FakeClock } from '../../fakes/fakeClock';
import { FakeWebview, readyPanel } from '../../fakes/fakeWebview';

/* A list that an agent makes as long as it likes: the panel has its beginning, and the document has all of it. */

type Plan = Extract<Update, { type: 'plan' }>;
const planOf = (length: number, word: string): Plan['entries'] =>
  (
    decodeUpdate({
      sessionUpdate: 'plan',
      entries: Array.from({ length }, (_, n) => ({
        content: `${word} ${n}`,
        priority: 'medium',
        status: n < 3_000 ? 'completed' : n === 3_000 ? 'in_progress' : 'pending',
      })),
    }).value as Plan
  ).entries;
const plan = (entries: Plan['entries'], planId?: string): ThreadAction => ({
  type: 'plan/replaced',
  at: 0,
  entries,
  ...(planId === undefined ? {} : { planId }),
});

it('a finished plan is shown until its turn ends, and stays in the thread', () => {
  const started = reduce(emptyThread, { type: 'turn/started', at: 0, turnId: 't1', prompt: [] });
  const during = reduce(started, plan(planOf(1, 'Step')));
  const after = reduce(during, { type: 'turn/ended', at: 1, turnId: 't1', stopReason: 'end_turn' });
  expect([during, after].map((thread) => readyPanel(new PanelProjector(), thread).plan.length)).toEqual([1, 0]);
  expect(after.plan).toHaveLength(1);
  const left = reduce(after, plan(planOf(3_002, 'Step')));
  expect(readyPanel(new PanelProjector(), left).planTally?.total).toBe(3_002);
});

describe('a plan of 10,000 entries', () => {
  const thread = reduce(emptyThread, plan(planOf(10_000, 'Step')));
  const panel = readyPanel(new PanelProjector(), thread);

  it('is sent as its beginning and what all of it comes to', () => {
    expect(panel.plan).toHaveLength(maxShown);
    expect(panel.planTally).toEqual({ total: 10_000, done: 3_000, current: 'Step 3000' });
  });

  it('is there as a document', () => {
    const lines = wholeList(thread, 'plan', undefined)!.split('\n');
    expect([lines.length, lines[0], lines[3_000], lines[9_999]]).toEqual([
      10_000,
      '[x] Step 0',
      '[>] Step 3000',
      '[ ] Step 9999',
    ]);
  });
});

it('20 plans of 10,000 entries and the words after them cost little, whether they replace each other or stand side by side', () => {
  const plans = Array.from({ length: 20 }, (_, n) => planOf(10_000, `Plan ${n}, step`));
  for (const named of [false, true]) {
    const clock = new FakeClock();
    const webview = new FakeWebview();
    const projector = new PanelProjector();
    let thread: Thread = emptyThread;
    const publisher = new ThreadPublisher(
      {
        thread: () => thread,
        threadId: () => 't',
        panel: () => readyPanel(projector, thread),
        terminals: () => [],
        ui: () => ({ draft: '', mentions: [], expanded: {} }),
        cwd: () => '/w',
      },
      webview,
      clock,
    );
    publisher.snapshot();
    const start = process.cpuUsage();
    const act = (action: ThreadAction) => {
      thread = reduce(thread, action);
      publisher.mark();
      clock.advance(16);
    };
    for (const [n, entries] of plans.entries()) {
      act(plan(entries, named ? `p${n}` : undefined));
      for (let word = 0; word < 10; word++)
        act({
          type: 'message/chunkAppended',
          at: clock.now(),
          role: 'agent',
          content: { type: 'text', text: 'word ' },
        });
    }
    const { user } = process.cpuUsage(start);
    // It was 12 s for named plans.
    expect(user / 1_000).toBeLessThan(2_500);
    expect(JSON.stringify(webview.received).length).toBeLessThan(2_000_000);
    expect(webview.replica!.panel.planTally!.total).toBe(named ? 200_000 : 10_000);
  }
});

describe('a tool call with 10,000 locations and items', () => {
  const fields = {
    toolCallId: 'c',
    locations: Array.from({ length: 10_000 }, (_, n) => ({ path: `/w/${n}.ts`, line: 7 })),
    content: Array.from(
      { length: 10_000 },
      (_, n) => ({ type: 'content', content: { type: 'text', text: `item ${n}` } }) as const,
    ),
  };
  const thread = reduce(emptyThread, { type: 'toolCall/patched', at: 0, fields });
  const call = thread.entries.at(0)!;

  it('is sent as their beginning', () => {
    const view = entryView(call, '/w') as ReturnType<typeof toolCallView>;
    expect([view.locations.length, view.content.length, view.more]).toEqual([
      maxShown,
      maxShown,
      { content: 9_800, locations: 9_800 },
    ]);
  });

  it('is there as documents', () => {
    expect(wholeList(thread, 'locations', call.id)!.split('\n').at(-1)).toBe('/w/9999.ts:7');
    expect(wholeList(thread, 'content', call.id)!.split('\n\n').at(-1)).toBe('item 9999');
    expect(wholeList(thread, 'content', 'e77')).toBeUndefined();
  });
});
