import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { readWireLog } from '../../fakes/wireLog';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { test } from './harness';

/* Signing in and out, as a user does it. */

const temporary = () => mkdtempSync(join(tmpdir(), 'parley-wire-'));
const card = (chat: Chat) => chat.frame.getByRole('group', { name: 'Sign in to Fake', exact: true });
const prompts = (agent: FakeAgent) =>
  agent.received('session/prompt').map((message) => message['params'].prompt.at(-1).text as string);

/** Clicks once, when the button takes clicks. */
async function choose(button: Locator, taken: () => Promise<boolean>): Promise<void> {
  await button.click();
  await until('the button to be taken', taken);
}

test('44, 45: the agent’s own command runs in a terminal after it was shown, and the prompt goes to a new process', async ({
  openWindow,
}) => {
  const folder = temporary();
  const log = join(folder, 'wire.ndjson');
  const accountFile = join(folder, 'account');
  const terminal = {
    id: 'login',
    name: 'Log in with Fake',
    type: 'terminal',
    args: ['--login', '--wait'],
    env: { FAKE_LOGIN: 'from the agent' },
  };
  const agent = new FakeAgent(log, {
    authRequired: true,
    authRequiredFor: ['session/prompt'],
    accountFile,
    initializePatch: { authMethods: [terminal] },
  });
  const window = await openWindow({ settings: agent.settings });
  const { page } = window.workbench;
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY signed in by hand');
  const run = card(chat).getByRole('button', { name: 'Run in Terminal' });
  await choose(card(chat).getByRole('button', { name: /Log in with Fake/ }), async () => (await run.count()) > 0);
  expect(await card(chat).getByLabel('Command').innerText()).toMatch(/fakeAgent\.mjs --login --wait$/);
  const logins = () => readWireLog(log).filter((entry) => entry.event === 'login');
  expect(logins()).toEqual([]);
  await run.click();
  // Only VS Code's own dialog runs it.
  const dialog = window.workbench.dialog('Run a command to sign in with “Log in with Fake”?');
  expect(await dialog.innerText()).toMatch(/fakeAgent\.mjs --login --wait/);
  expect(logins()).toEqual([]);
  await dialog.getByRole('button', { name: 'Run in Terminal' }).click();
  await card(chat).getByRole('button', { name: 'I Have Signed In' }).waitFor();
  await until('the command to run', () => logins().length === 1);
  expect(logins()[0]).toMatchObject({
    argv: ['--login', '--wait'],
    env: { FAKE_LOGIN: 'from the agent' },
    cwd: window.folder,
    isTTY: true,
  });
  // The user types into the terminal that is shown.
  await page.locator('.terminal-wrapper.active .xterm').first().click();
  await until('the keys to be the terminal’s', () =>
    page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea')),
  );
  await page.keyboard.press('Enter');
  await until('the account to be there', () => existsSync(accountFile));
  await chat.sees('signed in by hand');
  await chat.idle();
  // To the old process, which refused it, and to the new one: in a new session, because nothing was said in the other.
  const order = agent.received().flatMap((message) => (message['method'] ? [message['method'] as string] : []));
  expect(order.filter((method) => method !== 'session/close')).toEqual([
    'initialize',
    'session/new',
    'session/prompt',
    'initialize',
    'session/new',
    'session/prompt',
  ]);
  expect(prompts(agent)).toEqual(['%%SAY signed in by hand', '%%SAY signed in by hand']);
  expect(await chat.log.locator('.user-message').count()).toBe(1);
  agent.check();
});

test('48, 51: a key is asked for in a box that hides it, is in no file, is used again, and is forgotten with the sign-out', async ({
  openWindow,
}) => {
  const secret = 'sk-hush-in-the-box';
  const agent = new FakeAgent(join(temporary(), 'wire.ndjson'), {
    authRequired: true,
    initializePatch: {
      authMethods: [{ id: 'key', name: 'API key', _meta: { 'api-key': { provider: 'fake' } } }],
      agentCapabilities: { auth: { logout: {} } },
    },
  });
  const window = await openWindow({ settings: { ...agent.settings, 'parley.trace.traffic': true }, fresh: true });
  const { workbench } = window;
  const input = workbench.page.locator('.quick-input-widget input[type=password]');
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY with a key');
  await choose(card(chat).getByRole('button', { name: 'API key' }), async () => input.isVisible());
  await input.fill(secret);
  await input.press('Enter');
  await chat.sees('with a key');
  await chat.idle();
  // A new process asks again, and nobody has to type it a second time.
  await workbench.runCommand('Parley: Restart Agent');
  await until('the key to be used again', () => agent.received('authenticate').length === 2);
  await until('the session to open', () => agent.received('session/new').length === 4);
  await workbench.runCommand('Parley: Sign Out');
  await workbench
    .dialog(/Sign out of Fake/)
    .getByRole('button', { name: 'Sign Out' })
    .click();
  await until('the agent to be told', () => agent.received('logout').length === 1);
  await chat.send('%%SAY once more');
  await card(chat).getByRole('button', { name: 'API key' }).waitFor();
  expect(agent.received('authenticate').map((message) => message['params']._meta)).toEqual([
    { 'api-key': secret },
    { 'api-key': secret },
  ]);
  await card(chat).getByRole('button', { name: 'Not Now' }).click();
  await chat.sees('Message not sent');
  // What the panel and the host keep of it they have written before this.
  await chat.box.fill('after the key');
  await window.keeps('after the key');
  const files = readdirSync(window.server.dataDir, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  expect(
    files
      .filter((file) => readFileSync(join(file.parentPath, file.name)).includes(secret))
      .map((file) => join(file.parentPath, file.name)),
  ).toEqual([]);
  agent.check();
});
