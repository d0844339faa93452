import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test } from './harness';
import { picture } from './underReview';

/* What goes wrong, and what the user is told. */

test('what is changed in the settings of an agent counts from the next session on, and one that is removed gives way to the default', async ({
  openWindow,
}) => {
  const [first, second] = [new FakeAgent(newWireLog()), new FakeAgent(newWireLog())];
  const { workbench, openChat } = await openWindow({ settings: first.settings }).then((window) => ({
    workbench: window.workbench,
    openChat: () => window.openChat(),
  }));
  const before = new Chat(await openChat());
  await before.send('%%SAY one');
  // While it works, its process goes on.
  await before.sees(/^one$/);
  await before.idle();
  expect(first.received('session/prompt')).toHaveLength(1);
  await workbench.changeSettings(second.settings);
  await workbench.runCommand('Parley: New Session');
  const chat = new Chat(await openChat());
  await chat.send('%%SAY two');
  await chat.sees(/^two$/);
  expect(second.received('initialize')).toHaveLength(1);
  await workbench.changeSettings({ 'parley.agents': {}, 'parley.defaultAgent': 'Parley Demo' });
  await workbench.runCommand('Parley: New Session');
  await workbench.statusBarItem(/^Parley: Parley Demo/).waitFor();
});

test('without a folder nothing starts before one is chosen, and the scratch folder is not the home folder', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog());
  const window = await openWindow({ settings: agent.settings, folder: '' });
  const chat = new Chat(await window.openChat());
  await chat.frame.getByRole('heading', { name: 'Open a folder first' }).waitFor();
  await chat.button('Open Recent…').waitFor();
  await picture(window, 'no folder');
  await chat.box.fill('%%SAY hello');
  expect(await chat.button('Send').isDisabled()).toBe(true);
  expect(agent.received()).toEqual([]);
  await chat.button('Use Scratch Folder').click();
  await chat.frame.getByRole('heading', { name: 'Open a folder first' }).waitFor({ state: 'detached' });
  await chat.send('%%SAY hello');
  await chat.sees('hello');
  const { cwd } = agent.received('session/new')[0]!['params'];
  expect(cwd).toMatch(/parley\.parley[\\/]scratch$/);
  expect(existsSync(cwd)).toBe(true);
  agent.check();
});

test('an agent that dies shows its last words, keeps the thread, and restarts', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY before the end\n%%STDERR out of cheese\n%%DIE 3');
  await chat.frame
    .getByText(/ended unexpectedly/)
    .first()
    .waitFor();
  await chat.frame
    .getByText(/exit code 3/)
    .first()
    .waitFor();
  await chat.frame
    .getByText(/out of cheese/)
    .first()
    .waitFor();
  await chat.sees('before the end');
  await chat
    .button(/^Restart/)
    .first()
    .click();
  await chat.send('%%SAY back again');
  await chat.sees('back again');
  await chat.sees('before the end');
  // The card about the end is gone; the answer still does not look complete.
  await chat.frame.getByText(/^The answer was cut off because .* ended$/).waitFor();
  agent.check();
});

test('a file outside the workspace is asked for in the thread, and Stop answers the question', async ({
  openWindow,
}) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('%%READ /etc/hostname');
  const card = chat.frame.getByRole('group', { name: /^Permission: Read outside the workspace: \/etc\/hostname/ });
  await chat.answer(/^Permission: Read outside/, 'Allow once');
  await chat.sees(/\[READ \{"content"/);
  await chat.idle();
  await chat.send('%%READ /etc/hostname');
  await card.waitFor();
  await chat.button('Stop').click();
  await chat.idle();
  await expect.poll(() => card.count()).toBe(0);
  agent.check();
});

test('Restart while a turn runs goes on in the same thread with one new process', async ({ openWindow }) => {
  const agent = new FakeAgent(newWireLog(), { ignoreStdinEnd: true });
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY first life\n%%SILENT');
  await chat.sees('first life');
  await window.workbench.runCommand('Parley: Restart Agent');
  await until('a second process', () => agent.received('initialize').length === 2);
  await chat.idle();
  await chat.send('%%SAY second life');
  await chat.sees('second life');
  await chat.sees('first life');
  await chat.idle();
  expect(agent.received('initialize')).toHaveLength(2);
  // The agent offers to load: it goes on with the session that it knows.
  expect(agent.received('session/new')).toHaveLength(1);
  expect(agent.received('session/load')).toHaveLength(1);
});
