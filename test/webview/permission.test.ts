import { describe, expect, it } from 'vitest';
import type { PermissionOptionView, ToolCallView } from '../../src/protocol/viewModel';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, diff, threadView, toolCall } from './views.mjs';

useHarness();

const options: PermissionOptionView[] = [
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  { optionId: 'yes', name: 'Yes, <b>do</b> it', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
];

function asking(id: string, title: string, fields: Partial<ToolCallView> = {}): ToolCallView {
  return toolCall(id, { title, status: 'waiting', durationMs: undefined, permissions: [{ requestId: `r-${id}`, title, options }], ...fields });
}

function pending(id: string, title: string) {
  return { requestId: `r-${id}`, entryId: id, kind: 'permission' as const, title };
}

const card = (panel: PanelPage, title: string) => panel.page.getByRole('group', { name: `Permission: ${title}`, exact: true });

describe('permission', () => {
  it('shows the whole command and the options in the agent’s words and order', async () => {
    const panel = await PanelPage.open();
    const command = `rm -rf ./dist\nnpm run build -- --with "a very long argument that goes on and on" ${'x'.repeat(200)}`;
    await panel.show(threadView([asking('c', 'Run', { command, cwd: '/work' })]));
    const group = card(panel, 'Run');
    await expect.poll(() => group.getByRole('button').locator('span').allInnerTexts()).toEqual(['Reject', 'Yes, <b>do</b> it', 'Always']);
    for (const name of ['Reject', 'Yes, <b>do</b> it', 'Always']) expect(await group.getByRole('button', { name, exact: true }).count()).toBe(1);
    await expect.poll(() => group.locator('pre').innerText()).toBe(command);
    await expect.poll(() => group.locator('pre').evaluate((e) => e.scrollWidth <= e.clientWidth)).toBe(true);
    await expect.poll(() => group.innerText()).toContain('/work');
    await expect.poll(() => group.getByRole('button', { name: 'Yes, <b>do</b> it', exact: true }).getAttribute('class')).toBe('primary');
    await group.getByRole('button', { name: 'Always', exact: true }).click();
    await expect.poll(() => panel.posted('permission/select')).toEqual([{ type: 'permission/select', requestId: 'r-c', optionId: 'always' }]);
  });

  it('shows the diff, or else the raw input, and the places', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([
      asking('c', 'Edit', { content: [diff()], input: 'not needed', locations: [{ path: '/etc/hosts', label: '/etc/hosts' }] }),
      asking('d', 'Fetch', { input: '{ "url": "https://example.com" }' }),
    ]));
    await expect.poll(() => card(panel, 'Edit').locator('.diff-line.add').count()).toBe(3);
    await expect.poll(() => card(panel, 'Edit').innerText()).toContain('/etc/hosts');
    await expect.poll(() => card(panel, 'Edit').innerText()).not.toContain('not needed');
    await expect.poll(() => card(panel, 'Fetch').locator('pre').innerText()).toContain('https://example.com');
  });

  it('takes no focus and no answer in the moment when it appears', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([]));
    await panel.box.fill('typing');
    await panel.page.evaluate(() => performance.mark('asked'));
    await panel.patch({ op: 'entry/add', entry: asking('c', 'Run') });
    const button = card(panel, 'Run').getByRole('button', { name: 'Reject' });
    await button.waitFor();
    await expect.poll(() => panel.box.evaluate((e) => e === document.activeElement)).toBe(true);
    await button.click();
    const waited = await panel.page.evaluate(() => performance.now() - performance.getEntriesByName('asked')[0]!.startTime);
    expect(waited).toBeGreaterThanOrEqual(398);
  });

  it('is answered with digits only while its card has the focus', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([asking('c', 'Run')], { pendingQuestions: [pending('c', 'Run')] }));
    await panel.box.press('2');
    await expect.poll(() => panel.posted('permission/select')).toEqual([]);
    await expect.poll(() => panel.box.inputValue()).toBe('2');
    await card(panel, 'Run').getByRole('button', { name: 'Reject' }).and(panel.page.locator(':enabled')).waitFor();
    await panel.send({ type: 'focus/set', target: 'question' });
    await expect.poll(() => card(panel, 'Run').evaluate((e) => e === document.activeElement)).toBe(true);
    for (const key of ['Enter', 'Escape', 'Space', '9', 'Control+1']) await panel.page.keyboard.press(key);
    await expect.poll(() => panel.posted('permission/select')).toEqual([]);
    await panel.page.keyboard.press('2');
    await expect.poll(() => panel.posted('permission/select')).toEqual([{ type: 'permission/select', requestId: 'r-c', optionId: 'yes' }]);
  });

  it('is reached with the Tab key and answered with Enter', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([asking('c', 'Run')]));
    await card(panel, 'Run').getByRole('button', { name: 'Reject' }).and(panel.page.locator(':enabled')).waitFor();
    await panel.thread.focus();
    await panel.page.keyboard.press('Tab');
    await expect.poll(() => panel.page.evaluate(() => document.activeElement?.querySelector('span')?.textContent)).toBe('Reject');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    expect((await panel.posted('permission/select')).map((m) => m.optionId)).toEqual(['yes']);
  });

  it('keeps several questions apart, also on one call', async () => {
    const panel = await PanelPage.open({ height: 1400 });
    const two = asking('c', 'Two', { permissions: [{ requestId: 'p1', title: 'First', options }, { requestId: 'p2', title: 'Second', options }] });
    await panel.show(threadView([two, asking('d', 'Third')]));
    await card(panel, 'Second').getByRole('button', { name: 'Reject' }).click();
    await card(panel, 'Third').getByRole('button', { name: 'Always' }).click();
    expect((await panel.posted('permission/select')).map((m) => [m.requestId, m.optionId])).toEqual([['p2', 'no'], ['r-d', 'always']]);
    await panel.patch({ op: 'entry/replace', entry: { ...two, permissions: [two.permissions[0]!] } });
    await expect.poll(() => card(panel, 'Second').count()).toBe(0);
    await expect.poll(() => card(panel, 'First').count()).toBe(1);
  });

  it('folds to the decision once it is answered, and leaves when it is withdrawn', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([asking('c', 'Run')], { pendingQuestions: [pending('c', 'Run')] }));
    await panel.patch({ op: 'entry/replace', entry: toolCall('c', { title: 'Run', status: 'running', decision: 'Always' }) }, { op: 'panel/set', fields: { pendingQuestions: [] } });
    await expect.poll(() => card(panel, 'Run').count()).toBe(0);
    await expect.poll(() => panel.thread.getByRole('group', { name: 'Run' }).innerText()).toContain('Always');
  });

  it('is announced, and has its line over the box while its card is out of sight', async () => {
    const panel = await PanelPage.open();
    const filler = Array.from({ length: 40 }, (_, i) => agentMessage(`m${i}`, `Message ${i}`));
    await panel.show(threadView([asking('c', 'Run it', { command: 'make' }), ...filler], { pendingQuestions: [pending('c', 'Run it')] }));
    await panel.page.getByRole('status').getByText('Demo Agent asks for permission: Run it').waitFor({ state: 'attached' });
    await panel.page.getByRole('button', { name: 'Waiting for you: Run it' }).click();
    await expect.poll(() => card(panel, 'Run it').evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.page.getByRole('button', { name: 'Waiting for you: Run it' }).waitFor({ state: 'detached' });
    await expect.poll(() => card(panel, 'Run it').evaluate((e) => e.getBoundingClientRect().top > 0 && e.getBoundingClientRect().bottom < innerHeight)).toBe(true);
  });
});
