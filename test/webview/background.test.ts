import { describe, expect, it } from 'vitest';
import type { PanelView } from '../../src/protocol/viewModel';
import { background, backgroundTerminals, backgroundThread } from './dockScenes.mjs';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, now, threadView } from './views.mjs';

useHarness();

const strip = (panel: PanelPage) => panel.page.getByRole('group', { name: 'In the background', exact: true });
const button = (panel: PanelPage, name: string) => strip(panel).getByRole('button', { name, exact: true });
const turn = { running: true, startedAt: now - 4_000, stopping: false, canForceStop: false } as const;

async function show(fields: Partial<PanelView>, width = 420): Promise<PanelPage> {
  const panel = await PanelPage.open({ width });
  await panel.show(threadView(backgroundThread, fields, backgroundTerminals));
  await strip(panel).waitFor();
  return panel;
}

/* What is at work beside the turn. */
describe('background work', () => {
  it.each([250, 285, 420, 745])(
    'of one kind has its title, its time, Show and Stop in one line, %i px',
    async (width) => {
      const panel = await show({ background: background.slice(0, 1) }, width);
      expect(await strip(panel).innerText()).toMatch(/npm run dev -- --host 127\.0\.0\.1[^]*\d min/);
      expect((await strip(panel).boundingBox())!.height).toBe(32);
      const line = strip(panel).locator('.strip-line');
      expect(await line.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      await button(panel, 'Stop').click();
      expect(await panel.posted('terminal/cancel')).toEqual([{ type: 'terminal/cancel', terminalId: 'dev' }]);
      // It is there until the command has ended.
      await panel.patch({ op: 'panel/set', fields: {}, cleared: ['background'] });
      await strip(panel).waitFor({ state: 'hidden' });
    },
  );

  it('leads to its card and opens it', async () => {
    const panel = await PanelPage.open({ width: 420 });
    const long = Array.from({ length: 60 }, (_, i) => `Paragraph ${i}.`).join('\n\n');
    await panel.show(
      threadView(
        [...backgroundThread, agentMessage('b', long)],
        { background: background.slice(0, 1) },
        backgroundTerminals,
      ),
      { expanded: { dev: false } },
    );
    await strip(panel).waitFor();
    const rows = panel.page.getByRole('group', { name: 'Terminal output' });
    expect(await rows.count()).toBe(0);
    await button(panel, 'Show').click();
    await expect
      .poll(() => rows.evaluateAll(([element]) => element && element.getBoundingClientRect().top > 0))
      .toBe(true);
    expect(await panel.posted('terminal/open')).toEqual([]);
  });

  it('of several is a number, and opens to a list in which each has what is possible', async () => {
    const panel = await show({ background }, 285);
    const head = strip(panel).getByRole('button', { name: /3 tasks in the background/ });
    expect(await head.getAttribute('aria-expanded')).toBe('false');
    expect(await head.locator('.label').evaluate((label) => label.scrollWidth - label.clientWidth)).toBe(0);
    // Not all of them can be stopped.
    expect(await strip(panel).getByRole('button', { name: 'Stop All' }).count()).toBe(0);
    await head.click();
    const rows = strip(panel).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(3);
    expect(await rows.nth(1).getByRole('button', { name: /^Stop/ }).count()).toBe(0);
    // Without a card, its terminal opens.
    await rows.nth(1).getByRole('button', { name: 'tail -f out/server.log' }).click();
    expect(await panel.posted('terminal/open')).toEqual([{ type: 'terminal/open', terminalId: 'log' }]);
    // Neither a card nor a terminal.
    await button(panel, 'Stop: Watch the deployment').click();
    expect(await panel.posted('toolCall/cancel')).toEqual([{ type: 'toolCall/cancel', entryId: 'e9' }]);
    const cut = await rows.evaluateAll((all) => all.filter((row) => row.scrollWidth > row.clientWidth).length);
    expect(cut).toBe(0);
  });

  it('stops at once where all of it can be stopped', async () => {
    const both = [background[0]!, { ...background[1]!, stop: { terminalId: 'log' } }];
    const panel = await show({ background: both });
    expect(await strip(panel).innerText()).toMatch(/2 commands in the background\s*\d+ min/);
    await button(panel, 'Stop All').click();
    expect(await panel.posted('terminal/cancel')).toEqual([
      { type: 'terminal/cancel', terminalId: 'dev' },
      { type: 'terminal/cancel', terminalId: 'log' },
    ]);
  });

  it('counts its seconds', async () => {
    const panel = await show({ background: [{ ...background[1]!, since: Date.now() - 5_000 }] });
    await expect.poll(() => strip(panel).innerText()).toMatch(/[67] s/);
  });

  it('is what Stop does not stop: its tooltip says so, and afterwards the list is open and announced', async () => {
    const panel = await show({ background, turn });
    const stop = panel.page.getByRole('button', { name: 'Stop', exact: true }).and(panel.page.locator('.send.stop'));
    expect(await stop.getAttribute('title')).toBe('Stop (but not 3 tasks in the background)');
    await panel.patch({ op: 'panel/set', fields: { turn: { ...turn, stopping: true } } });
    await expect.poll(() => strip(panel).getByRole('listitem').count()).toBe(3);
    await panel.patch({ op: 'panel/set', fields: { turn: { running: false, stopping: false, canForceStop: false } } });
    await expect
      .poll(() => panel.page.locator('[aria-live], [role=status]').allInnerTexts())
      .toContain('3 tasks in the background');
    expect(await strip(panel).getByRole('listitem').count()).toBe(3);
  });

  it('shows what an agent wrote as text', async () => {
    const panel = await show({ background: [{ ...background[0]!, title: 'a\u202e <b>b</b>\nc' }] });
    expect(await strip(panel).locator('b').count()).toBe(0);
    expect(await strip(panel).innerText()).not.toContain('\u202e');
  });
});
