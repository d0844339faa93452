import { describe, expect, it } from 'vitest';
import type { CompactionView } from '../../src/protocol/entryView';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView } from './views.mjs';

useHarness();

const usage = {
  context: { used: 64_000, size: 200_000 },
  cost: { amount: 0.4213, currency: 'USD' },
  turn: { total: 2474, input: 2468, output: 6 },
};
const compaction: CompactionView = {
  kind: 'compaction',
  id: 'k',
  status: 'running',
  content: [],
  startedAt: Date.now(),
};

describe('112 the context gauge', () => {
  const gauge = (panel: PanelPage) => panel.page.locator('.gauge');

  it('shows a percentage, and its numbers to pointer, keyboard and assistive technology', async () => {
    const panel = await PanelPage.open({ width: 600 });
    await panel.show(threadView([], { usage }));
    await expect.poll(() => gauge(panel).locator('.gauge-short').innerText()).toBe('32 %');
    await panel.page.setViewportSize({ width: 420, height: 800 });
    await expect.poll(() => gauge(panel).locator('.gauge-short').isVisible()).toBe(false);
    await expect
      .poll(() => gauge(panel).getAttribute('aria-label'))
      .toBe(
        '32% of the context used. 64,000 of 200,000 tokens. Last turn: 2,474 tokens (2,468 input, 6 output). Cost of this session: $0.4213',
      );
    const detail = gauge(panel).locator('.gauge-detail');
    expect(await detail.isVisible()).toBe(false);
    await gauge(panel).hover();
    await expect.poll(() => detail.isVisible()).toBe(true);
    await panel.page.mouse.move(5, 5);
    await expect.poll(() => detail.isVisible()).toBe(false);
    await panel.box.focus();
    for (let i = 0; i < 8 && !(await gauge(panel).evaluate((e) => e === document.activeElement)); i++)
      await panel.page.keyboard.press('Tab');
    await expect.poll(() => detail.isVisible()).toBe(true);
    await panel.page.keyboard.press('Escape');
    await expect.poll(() => detail.isVisible()).toBe(false);
  });

  it('follows the agent, and is not there where the agent tells nothing', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    expect(await gauge(panel).count()).toBe(0);
    await panel.patch({ op: 'panel/set', fields: { usage: { context: { used: 190_000, size: 200_000 } } } });
    await expect.poll(() => gauge(panel).getAttribute('class')).toContain('nearly-full');
    await panel.patch({ op: 'panel/set', fields: {}, cleared: ['usage'] });
    await expect.poll(() => gauge(panel).count()).toBe(0);
  });

  it('shows tokens without a ring where the size is not known', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([], { usage: { context: { used: 1234, size: 0 }, cost: { amount: 3, currency: 'credits' } } }),
    );
    await expect.poll(() => gauge(panel).locator('.gauge-short').innerText()).toBe('1.2K');
    expect(await gauge(panel).locator('svg').count()).toBe(0);
    expect(await gauge(panel).getAttribute('aria-label')).toBe(
      '1,234 tokens in the context. Cost of this session: 3 credits',
    );
  });
});

describe('113 notices of the agent', () => {
  it('show the newest with its severity, open where there is more to read, and can be dismissed', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('a', 'Hello')]));
    await panel.patch({
      op: 'panel/set',
      fields: {
        notices: [
          { id: 'n1', severity: 'other', title: 'First' },
          { id: 'n2', severity: 'warning', title: 'Nearly out of requests', description: 'Two are <b>left</b>.' },
        ],
      },
    });
    const strip = panel.page.getByRole('group', { name: 'Notice from Demo Agent' });
    await expect
      .poll(() => panel.page.getByRole('status').allTextContents())
      .toContain('Warning: Demo Agent says: Nearly out of requests');
    await expect
      .poll(async () => (await strip.innerText()).replace(/\s+/g, ' '))
      .toBe('Warning: Nearly out of requests 1 more');
    await strip.getByRole('button', { name: /Nearly out of requests$/, expanded: false }).click();
    await expect.poll(() => strip.innerText()).toContain('Two are <b>left</b>.');
    await strip.getByRole('button', { name: 'Dismiss: Nearly out of requests' }).click();
    expect(await panel.nextPosted('agentNotice/dismiss')).toEqual({ type: 'agentNotice/dismiss', id: 'n2' });
    await panel.patch({ op: 'panel/set', fields: { notices: [{ id: 'n1', severity: 'other', title: 'First' }] } });
    await expect.poll(async () => (await strip.innerText()).replace(/\s+/g, ' ')).toBe('Notice: First');
    expect(await panel.thread.innerText()).toBe('Hello');
    await panel.patch({ op: 'panel/set', fields: { notices: [] } });
    await expect.poll(() => strip.count()).toBe(0);
  });
});

describe('a window of the plan that ends soon', () => {
  const resetsAt = Date.now() + 60 * 60_000;
  const windows = [{ label: '5-hour limit', share: 0.92, resetsAt }];
  const gauge = (panel: PanelPage) => panel.page.locator('.gauge');
  const strip = (panel: PanelPage) => panel.page.getByRole('group', { name: 'Usage limit' });

  it('is one line that can be dismissed until the window ends, with a way to go on', async () => {
    const panel = await PanelPage.open({ width: 745 });
    await panel.show(threadView([agentMessage('a', 'Hello')], { usage: { windows } }));
    await expect
      .poll(() => strip(panel).innerText())
      .toMatch(/^Demo Agent · 5-hour limit: 92% used, resets [\d: APM\u202f]+\s*/);
    const { height } = (await strip(panel).boundingBox())!;
    expect(height).toBe(32);
    await strip(panel).getByRole('button', { name: 'Continue With…' }).click();
    expect(await panel.nextPosted('notice/act')).toEqual({ type: 'notice/act', action: 'continueWith' });
    await strip(panel)
      .getByRole('button', { name: /^Dismiss/ })
      .click();
    expect(await panel.nextPosted('usage/dismiss')).toEqual({
      type: 'usage/dismiss',
      label: '5-hour limit',
      resetsAt,
    });
    await panel.patch({ op: 'panel/set', fields: { dismissedWindows: { '5-hour limit': resetsAt } } });
    await expect.poll(() => strip(panel).count()).toBe(0);
  });

  it('is never cut, and keeps its buttons, in a narrow panel', async () => {
    const panel = await PanelPage.open({ width: 285 });
    await panel.show(threadView([agentMessage('a', 'Hello')], { usage: { windows } }));
    await strip(panel).waitFor();
    const label = strip(panel).locator('.label');
    expect(await label.innerText()).toMatch(/^5-hour limit: 92% used, resets /);
    expect(await label.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    expect((await strip(panel).boundingBox())!.height).toBeLessThanOrEqual(46);
    await strip(panel).getByRole('button', { name: 'Continue With…' }).click();
    expect(await panel.nextPosted('notice/act')).toEqual({ type: 'notice/act', action: 'continueWith' });
  });

  it.each([
    ['has much left', [{ label: '5-hour limit', share: 0.89, resetsAt }], false],
    ['has started again', [{ label: '5-hour limit', share: 0.99, resetsAt: Date.now() - 1 }], false],
    ['is used up', [{ label: 'Weekly limit', isReached: true }], true],
  ] as const)('one that %s', async (_, given, isShown) => {
    const panel = await PanelPage.open();
    // The gauge is drawn with it.
    await panel.show(
      threadView([agentMessage('a', 'Hello')], {
        usage: { windows: given, context: { used: 1, size: 2 } },
        dismissedWindows: { 'Weekly limit': Date.now() - 1 },
      }),
    );
    await expect.poll(() => gauge(panel).count()).toBe(1);
    await panel.frames();
    if (isShown) await strip(panel).waitFor();
    else expect(await strip(panel).count()).toBe(0);
  });

  it('comes after what the agent itself says', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([], { usage: { windows }, notices: [{ id: 'n', severity: 'info', title: 'Nearly out of requests' }] }),
    );
    await panel.page.getByRole('group', { name: 'Notice from Demo Agent' }).waitFor();
    expect(await strip(panel).count()).toBe(0);
    await panel.patch({ op: 'panel/set', fields: { notices: [] } });
    await strip(panel).waitFor();
  });
});

describe('114 a compaction', () => {
  it('is a line that opens its summary, which may still grow', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('a', 'Before'), compaction]));
    const group = (name: string) => panel.page.getByRole('group', { name });
    await expect.poll(() => group('Compacting conversation…').count()).toBe(1);
    await panel.patch({ op: 'entry/appendText', id: 'k', part: 0, text: 'You asked for ' });
    await panel.patch({
      op: 'entry/replace',
      entry: { ...compaction, content: [{ type: 'text', text: 'You asked for ' }] },
    });
    await group('Compacting conversation…').getByRole('button', { expanded: false }).click();
    await panel.patch({ op: 'entry/appendText', id: 'k', part: 0, text: '**a stack**.' });
    await expect.poll(() => panel.thread.locator('strong').innerText()).toBe('a stack');
    await panel.patch({
      op: 'entry/replace',
      entry: { ...compaction, status: 'completed', content: [{ type: 'text', text: 'A *new* summary.' }] },
    });
    await expect.poll(() => group('Conversation compacted').innerText()).toContain('A new summary.');
    await group('Conversation compacted').getByRole('button', { expanded: true }).click();
    await expect.poll(() => group('Conversation compacted').innerText()).not.toContain('summary');
  });

  it('that failed says why', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([{ ...compaction, status: 'failed', error: 'The model returned no summary.' }]));
    await expect
      .poll(() => panel.page.getByRole('group', { name: 'Compaction failed' }).innerText())
      .toContain('The model returned no summary.');
  });
});

describe('205 a rate limit', () => {
  it('counts the time down on Retry, which works from then on', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        {
          kind: 'notice',
          id: 'n',
          severity: 'error',
          title: 'The rate limit is reached',
          actions: ['retry'],
          retryAt: Date.now() + 60_000,
        },
      ]),
    );
    const waiting = panel.page.getByRole('button', { name: /^Retry in \d+ s$/ });
    await expect.poll(() => waiting.isDisabled()).toBe(true);
    await panel.patch({
      op: 'entry/replace',
      entry: {
        kind: 'notice',
        id: 'n',
        severity: 'error',
        title: 'The rate limit is reached',
        actions: ['retry'],
        retryAt: Date.now() + 1_500,
      },
    });
    const retry = panel.page.getByRole('button', { name: 'Retry', exact: true });
    await expect.poll(() => retry.isEnabled()).toBe(true);
    await retry.click();
    expect(await panel.nextPosted('notice/act')).toEqual({ type: 'notice/act', action: 'retry' });
  });
});

describe('an agent that says nothing', () => {
  it('is told of, beside a Stop that works', async () => {
    const panel = await PanelPage.open();
    const turn = { running: true, startedAt: Date.now() - 50_000, stopping: false, canForceStop: false };
    await panel.show(threadView([], { turn: { ...turn, silentSince: Date.now() - 45_000 } }));
    await expect
      .poll(() => panel.page.getByRole('note', { name: 'Running turn' }).innerText())
      .toMatch(/No response for \d+ s; Demo Agent/);
    await panel.show(threadView([], { turn: { ...turn, silentSince: Date.now() - 45_000, unread: 2 } }));
    await expect
      .poll(() => panel.page.getByRole('note', { name: 'Running turn' }).innerText())
      .toMatch(/No response for \d+ s; Parley could not read 2 lines from Demo Agent/);
    await panel.page.getByRole('button', { name: 'Stop' }).click();
    await panel.nextPosted('turn/cancel');
    await panel.patch({ op: 'panel/set', fields: { turn } });
    await expect
      .poll(() => panel.page.getByRole('note', { name: 'Running turn' }).innerText())
      .not.toContain('No response');
  });
});
