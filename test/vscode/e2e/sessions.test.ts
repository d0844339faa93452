import { expect } from 'vitest';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test } from './harness';
import { picture } from './underReview';

/* Several sessions, and what waits in them. */

test('71 two sessions go on side by side, and the list leads from one to the other', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings, fresh: true });
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY the first of two\n%%PERMISSION Change everything');
  await chat.permission('Change everything').waitFor();
  await window.workbench.runCommand('Parley: New Session');
  await chat.button('Show that session: Change everything').waitFor();
  await chat.send('%%SAY the second');
  await chat.sees('the second');
  await chat.idle();
  await expect.poll(() => chat.text()).not.toContain('the first of two');
  await window.workbench.runCommand('Parley: Show Sessions');
  const rows = chat.frame.getByRole('grid', { name: 'Sessions' }).getByRole('row');
  // By keyboard: the focus is in the search box.
  await chat.frame.getByRole('textbox', { name: 'Search sessions' }).fill('the first of two');
  await expect.poll(() => rows.count()).toBe(1);
  await chat.frame.getByRole('textbox', { name: 'Search sessions' }).press('ArrowDown');
  await window.workbench.page.keyboard.press('Enter');
  await chat.sees('the first of two');
  await chat.answer(/Change everything/, 'Allow once');
  await chat.idle();
  expect(agent.received('initialize')).toHaveLength(1);
  expect(agent.received('session/new')).toHaveLength(2);
  agent.check();
});

test('57 a session is renamed, forked, found by its text, archived, and deleted with Undo, from VS Code’s own menu and by keyboard', async ({
  openWindow,
}) => {
  const offers = { close: {}, resume: {}, fork: {}, title: {}, archive: {}, delete: {} };
  const agent = new FakeAgent(newWireLog(), {
    initializePatch: { agentCapabilities: { sessionCapabilities: offers } },
    longestTitle: 12,
  });
  const window = await openWindow({ settings: agent.settings, fresh: true });
  const { page } = window.workbench;
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY a needle in the answer');
  await chat.idle();
  const header = chat.frame.locator('.session-title');
  // The list and the header have the same title, also before the agent gives one.
  await expect.poll(() => header.innerText()).toBe('%%SAY a needle in the answer');
  const showList = async () => {
    await window.workbench.runCommand('Parley: Show Sessions');
    await chat.frame.getByRole('grid', { name: 'Sessions' }).waitFor();
  };
  const rows = chat.frame.getByRole('grid', { name: 'Sessions' }).getByRole('row');
  const choose = async (row: ReturnType<typeof rows.nth>, name: string) => {
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name, exact: true }).waitFor();
    await picture(window, `sessions menu ${name}`);
    expect(await page.getByRole('menuitem', { name: /^(?:Cut|Copy|Paste)$/ }).count()).toBe(0);
    await window.workbench.chooseMenuItem(name);
  };
  await showList();
  await picture(window, 'sessions list');
  await choose(rows.first(), 'Rename…');
  await page.locator('.quick-input-widget input[type=text]').first().fill('A much longer name');
  await page.keyboard.press('Enter');
  await expect.poll(() => header.innerText()).toBe('A much longe');
  await expect.poll(() => rows.first().locator('.label').innerText()).toBe('A much longe');
  await choose(rows.first(), 'Fork');
  await expect.poll(() => header.innerText()).toBe('Fork of A much longe');
  await chat.sees('a needle in the answer');
  await chat.send('%%SAY only in the fork');
  await chat.sees('only in the fork');
  await chat.idle();
  expect(agent.received('session/prompt').map(({ params }) => params.sessionId)).toEqual(['fake-1', 'fake-2']);
  await showList();
  await expect.poll(() => rows.count()).toBe(2);
  const box = chat.frame.getByRole('textbox', { name: 'Search sessions' });
  await box.fill('in the fork');
  const hits = chat.frame.getByRole('grid', { name: 'In conversations' }).getByRole('row');
  await expect.poll(() => hits.first().innerText()).toContain('only in the fork');
  await picture(window, 'sessions search');
  await hits.first().click();
  await expect.poll(() => chat.log.evaluate((e) => e.contains(document.activeElement))).toBe(true);
  await showList();
  await rows.nth(1).focus();
  await page.keyboard.press('Delete');
  await chat.frame.getByText('“A much longe” deleted').waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await picture(window, 'sessions undo');
  await chat.frame.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await choose(rows.nth(1), 'Archive');
  await expect.poll(() => rows.count()).toBe(1);
  await chat.frame.getByRole('button', { name: 'Archived (1)' }).waitFor();
  expect(agent.received('session/delete')).toEqual([]);
  // The list is ahead of the agent.
  await expect
    .poll(() =>
      agent
        .received()
        .flatMap(({ method }) => (/^session\/(?:fork|archive|set_title)$/.test(String(method)) ? [method] : [])),
    )
    .toEqual(['session/set_title', 'session/fork', 'session/archive']);
  agent.check();
  await rows.first().press('Escape');
  await window.workbench.runCommand('Parley: New Session');
  await window.workbench.runCommand('Parley: Reopen Closed Session');
  await expect.poll(() => header.innerText()).toBe('Fork of A much longe');
  await window.workbench.runCommand('Parley: Rename Session…');
  await page.locator('.quick-input-widget input[type=text]').first().fill('Short');
  await page.keyboard.press('Enter');
  await expect.poll(() => header.innerText()).toBe('Short');
  // Nothing was sent in a new one, which is in no list.
  await window.workbench.runCommand('Parley: New Session');
  await window.workbench.runCommand('Parley: Rename Session…');
  await window.workbench.notification(/Send a message before you rename/).waitFor();
});
