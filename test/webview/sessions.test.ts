import { describe, expect, it } from 'vitest';
import type { SessionItemView } from '../../src/protocol/sessionsView';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView } from './views.mjs';

useHarness();

const item = (key: string, fields: Partial<SessionItemView> = {}): SessionItemView => ({
  key, title: `Session ${key}`, agent: 'Demo Agent', folder: 'sample', updatedAt: Date.now() - 3_700_000, state: 'stored', isCurrent: false, canRename: true, canDelete: true, ...fields,
});
const items = [
  item('a', { title: 'Make the tokenizer iterative', state: 'running', isCurrent: true, updatedAt: Date.now() }),
  item('b', { title: 'Fix the parser', state: 'waiting' }),
  item('c', { title: 'Old one of the agent', agent: 'Codex', state: 'atAgent', canRename: false, canDelete: false }),
  item('d', { title: 'Deploy', state: 'failed' }),
];
const rows = (panel: PanelPage) => panel.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');

describe('the list of sessions', () => {
  it('stands in place of the thread, takes the focus, and says what each session does', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('m', 'Hello')]));
    await panel.patch({ op: 'panel/set', fields: { sessions: { items, loading: false, hasMore: false } } });
    await expect.poll(() => rows(panel).count()).toBe(4);
    await expect.poll(() => panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search sessions');
    await expect.poll(() => panel.page.getByRole('button', { name: /Fix the parser.*waiting for you.*Demo Agent.*1 h/ }).count()).toBe(1);
    await expect.poll(() => panel.page.getByRole('button', { name: /Deploy.*could not finish/ }).count()).toBe(1);
    await expect.poll(() => panel.page.getByRole('button', { name: 'Rename Old one of the agent' }).count()).toBe(0);
  });

  it('is searched, and walked with the arrows', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { sessions: { items, loading: false, hasMore: false } }));
    await panel.page.keyboard.type('parser');
    await expect.poll(() => rows(panel).count()).toBe(1);
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    await expect.poll(() => panel.posted('sessions/show')).toEqual([{ type: 'sessions/show', key: 'b' }]);
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    await expect.poll(() => panel.posted('sessions/rename')).toEqual([{ type: 'sessions/rename', key: 'b' }]);
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    await expect.poll(() => panel.posted('sessions/delete')).toEqual([{ type: 'sessions/delete', key: 'b' }]);
    await panel.page.keyboard.press('Escape');
    await expect.poll(() => panel.posted('sessions/toggle')).toEqual([{ type: 'sessions/toggle' }]);
  });

  it('names the agents only where there are several, and moves nothing under the pointer', async () => {
    const panel = await PanelPage.open({ width: 600 });
    const names = () => panel.page.locator('.session-row .agent').allInnerTexts();
    await panel.show(threadView([], { sessions: { items: items.slice(0, 2), loading: false, hasMore: false } }));
    await expect.poll(names).toEqual([]);
    await panel.show(threadView([], { sessions: { items, loading: false, hasMore: false } }));
    await expect.poll(names).toEqual(['Demo Agent', 'Demo Agent', 'Codex', 'Demo Agent']);
    const row = rows(panel).nth(1);
    const places = () => row.locator('.label, .agent').evaluateAll((all) => all.map((e) => { const { left, right } = e.getBoundingClientRect(); return [left, right]; }));
    const before = await places();
    await row.hover();
    await row.getByRole('button', { name: 'Delete Fix the parser' }).waitFor();
    expect(await places()).toEqual(before);
    expect(await row.locator('.age').evaluate((e) => e.getBoundingClientRect().width)).toBeGreaterThanOrEqual(await row.locator('.row-actions').evaluate((e) => e.getBoundingClientRect().width));
  });

  it('says when there is none, when an agent is asked, and what went wrong', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { sessions: { items: [], loading: true, hasMore: false, problem: 'Codex could not list its sessions: no' } }));
    await panel.page.getByText('No sessions yet.').waitFor();
    await panel.page.getByText('Loading sessions from the agent…').waitFor();
    await panel.page.getByText('Codex could not list its sessions: no').waitFor();
  });

  it('an agent that waits in another session is one click away', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { waitingElsewhere: [{ key: 'b', agent: 'Codex', title: 'Run rm -rf dist' }] }));
    await panel.page.getByRole('button', { name: 'Show that session: Run rm -rf dist' }).click();
    await expect.poll(() => panel.posted('question/show')).toEqual([{ type: 'question/show', key: 'b' }]);
  });
});
