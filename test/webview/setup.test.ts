import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { setup, setupScenes } from './setupScenes.mjs';
import { threadView } from './views.mjs';

useHarness();

describe('what a session was opened with', () => {
  it('is counted beside the title, with the reasons for what is missing', async () => {
    const panel = await PanelPage.open();
    await panel.show(setupScenes.setup.view);
    await expect
      .poll(() => panel.page.locator('.session-title').getAttribute('title'))
      .toBe('Make the tokenizer iterative, without recursion');
    const servers = panel.page.getByRole('button', { name: 'MCP servers: 2 of 3' });
    await expect
      .poll(() => servers.getAttribute('title'))
      .toBe(
        'docs: passed on\nfiles: passed on\ntrial: not passed on (your choice)\nevents: not passed on (Demo Agent does not support SSE servers)',
      );
    await expect
      .poll(() => panel.page.getByRole('button', { name: 'Session folders: 2' }).getAttribute('title'))
      .toBe('sample: working directory\ndocs: additional folder');
    await servers.click();
    await panel.page.getByRole('button', { name: 'Session folders: 2' }).press('Enter');
    await expect.poll(() => panel.posted('setup/showServers')).toEqual([{ type: 'setup/showServers' }]);
    await expect.poll(() => panel.posted('setup/showFolders')).toEqual([{ type: 'setup/showFolders' }]);
  });

  it('says what waits for review, and what only the next session has', async () => {
    const panel = await PanelPage.open();
    await panel.show(setupScenes.setupUntitled.view);
    await panel.page.getByRole('button', { name: 'Review 2 MCP servers' }).waitFor();
    await panel.patch({ op: 'panel/set', fields: { setup: setup({ changed: true }) } });
    await expect
      .poll(() => panel.page.getByRole('button', { name: 'MCP servers: 2 of 3' }).textContent())
      .toMatch(/2 of 3\s*changed/);
    await expect
      .poll(() => panel.page.getByRole('button', { name: 'MCP servers: 2 of 3' }).getAttribute('title'))
      .toMatch(/Changes to servers or folders apply to the next session\.$/);
  });

  it('is not there where there is nothing to tell, and what a repository calls its server is text', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    expect(await panel.page.locator('.setup button').count()).toBe(0);
    const name = '<img src=x onerror="parent.hacked=1">';
    await panel.patch({
      op: 'panel/set',
      fields: { setup: setup({ servers: [{ name, state: 'left', why: 'it has no command' }], folders: [] }) },
    });
    await expect
      .poll(() => panel.page.getByRole('button', { name: 'MCP servers: 0 of 1' }).getAttribute('title'))
      .toBe(`${name}: not passed on (it has no command)`);
    expect(await panel.page.locator('.setup img').count()).toBe(0);
  });

  it('has a button for where the first prompt is worked on, and later one for the worktree', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { place: 'folder' }));
    for (const [place, words] of [
      ['folder', 'This folder'],
      ['worktree', 'New worktree'],
      [3, '3 agents'],
    ] as const) {
      await panel.patch({ op: 'panel/set', fields: { place } });
      await panel.page.getByRole('button', { name: `Works in: ${words}` }).press('Enter');
    }
    await expect.poll(() => panel.posted('place/choose')).toHaveLength(3);
    await panel.show(setupScenes.worktree.view);
    expect(await panel.page.getByRole('button', { name: /^Works in/ }).count()).toBe(0);
    await panel.page.getByRole('button', { name: 'Worktree: fix-the-tokenizer' }).click();
    await expect.poll(() => panel.posted('worktree/show')).toEqual([{ type: 'worktree/show' }]);
  });
});
