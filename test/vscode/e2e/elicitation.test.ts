import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test } from './harness';

/* Forms and pages that an agent asks for. */

const question = (chat: Chat, title: string) =>
  chat.frame.getByRole('group', { name: `Request: ${title}`, exact: true });

/** Clicks once, when the button takes clicks. */
async function click(button: Locator, taken: () => Promise<boolean>): Promise<void> {
  await button.click();
  await until('the button to be taken', taken);
}

test('163: a form is filled in, survives the hiding of the panel, is corrected, and reaches the agent', async ({
  openWindow,
}) => {
  const window = await openWindow();
  const { workbench } = window;
  let chat = new Chat(await window.openChat());
  await chat.send('/ask');
  let card = question(chat, 'What kind of castle do you want?');
  await card.getByRole('radio', { name: 'Large' }).check();
  await card.getByLabel('Name').fill('9 towers');
  await card.getByRole('checkbox', { name: 'A drawbridge' }).check();
  await card.getByLabel('Region').selectOption('Bohemia');
  // The panel tells what stands in it when it loses the focus.
  await workbench.runCommand('View: Focus Active Editor Group');
  await until('the focus to leave the panel', () => chat.frame.evaluate(() => !document.hasFocus()));
  await workbench.hideSecondarySideBar();
  await workbench.showSecondarySideBar();
  chat = new Chat(await window.openChat());
  card = question(chat, 'What kind of castle do you want?');
  await expect.poll(() => card.getByLabel('Name').inputValue()).toBe('9 towers');
  await expect.poll(() => card.getByRole('radio', { name: 'Large' }).isChecked()).toBe(true);
  await click(
    card.getByRole('button', { name: 'Submit' }),
    async () => (await card.getByText('This does not match the required format').count()) > 0,
  );
  await expect.poll(() => card.getByLabel('Name').evaluate((e) => e === document.activeElement)).toBe(true);
  await card.getByLabel('Name').fill('nine-towers');
  await card.getByLabel('Name').press('Enter');
  await chat.sees('Nothing was built.');
  await chat.idle();
  const said = await chat.text();
  for (const answer of ['"large"', '"nine-towers"', '["moat","bridge"]', '"Bohemia"', '12', 'true'])
    expect(said).toContain(answer);
  await expect.poll(() => card.innerText()).toMatch(/Answered/);
});

test('165: a page is opened only after consent, in the browser, and waited for', async ({ openWindow }) => {
  const window = await openWindow({ settings: FakeAgent.shared().settings });
  const { page } = window.workbench;
  // A `Uri` of VS Code would change `%26`, and with it the page.
  const url = 'https://example.com/?state=a%26b';
  const requests: string[] = [];
  await window.context.route('https://example.com/**', (route) => {
    requests.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<title>A harmless page</title>' });
  });
  const chat = new Chat(await window.openChat());
  await chat.send(`@@ELICITPAGE ${JSON.stringify({ url })}\n@@COMPLETE\n@@SAY You can close the page.`);
  const card = question(chat, 'Sign in on the web.');
  await card.getByText(url, { exact: true }).waitFor();
  const dialog = window.workbench.dialog(/open the external website/);
  await click(card.getByRole('button', { name: 'Open in Browser' }), async () => (await dialog.count()) > 0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  // Whoever thinks better of it has not agreed.
  await expect.poll(() => card.getByRole('button', { name: 'Open in Browser' }).count()).toBe(1);
  expect(requests).toEqual([]);
  await click(card.getByRole('button', { name: 'Open in Browser' }), async () => (await dialog.count()) > 0);
  const opened = window.context.waitForEvent('page');
  await dialog.getByRole('button', { name: /^Open/ }).click();
  await (await opened).waitForURL(url);
  await page.bringToFront();
  await chat.sees('You can close the page.');
  await expect.poll(() => card.innerText()).toMatch(/Finished/);
});

test('167: what an agent asks before there is a session is in the panel, and secrets are in no file', async ({
  openWindow,
}) => {
  const requestedSchema = {
    type: 'object',
    properties: { key: { type: 'string', title: 'API key', format: 'password' } },
    required: ['key'],
  };
  const agent = new FakeAgent(newWireLog(), {
    elicitBefore: { 'session/new': { mode: 'form', message: 'Sign in first', requestedSchema } },
  });
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY here I am');
  const card = question(chat, 'Sign in first');
  await card.getByLabel('API key').fill('hunter2-in-the-box');
  await click(card.getByRole('button', { name: 'Submit' }), async () => (await card.getByText('Answered').count()) > 0);
  await chat.sees('here I am');
  await chat.idle();
  expect(await chat.text()).not.toMatch(/New Fake session/);
  expect(agent.received().find((message) => message['result']?.action)?.['result']).toEqual({
    action: 'accept',
    content: { key: 'hunter2-in-the-box' },
  });
  // What the panel and the host keep of it they have written before this.
  await chat.box.fill('after the form');
  await window.keeps('after the form');
  const files = readdirSync(window.server.dataDir, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const holding = files
    .filter((file) => readFileSync(join(file.parentPath, file.name)).includes('hunter2-in-the-box'))
    .map((file) => file.name);
  expect(holding).toEqual([]);
  agent.check();
});
