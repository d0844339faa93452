import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { test } from './harness';
import { picture } from './underReview';

/* What goes wrong, and what the user is told. */

const newLog = () => join(mkdtempSync(join(tmpdir(), 'parley-wire-')), 'wire.ndjson');

test('an agent that is not installed is named, with what helps', async ({ openWindow }) => {
  const window = await openWindow({
    settings: { 'parley.agents': { Ghost: { command: 'no-such-agent-anywhere' } }, 'parley.defaultAgent': 'Ghost' },
  });
  const chat = new Chat(await window.openChat());
  await chat.send('hello');
  await chat.frame
    .getByText(/“no-such-agent-anywhere” was not found/)
    .first()
    .waitFor();
  await chat.button('Edit Settings').first().waitFor();
  await expect.poll(() => chat.text()).toContain('hello');
});

test('another protocol version is refused in words that name both', async ({ openWindow }) => {
  const agent = new FakeAgent(newLog(), { protocolVersion: 99 }, { name: 'Newer' });
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('hello');
  await chat.frame
    .getByText(/speaks version 99 .* Parley speaks version 1/)
    .first()
    .waitFor();
  expect(new Set(agent.received().map((message) => message['method']))).toEqual(new Set(['initialize']));
});

test('what is changed in the settings of an agent counts from the next session on, and one that is removed gives way to the default', async ({
  openWindow,
}) => {
  const [first, second] = [new FakeAgent(newLog()), new FakeAgent(newLog())];
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

test('a start that takes long can be cancelled', async ({ openWindow }) => {
  const agent = new FakeAgent(newLog(), { neverInitialize: true }, { name: 'Sleeper' });
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('hello');
  await chat.frame
    .getByText(/Starting Sleeper/)
    .first()
    .waitFor();
  await chat.button('Cancel').first().click();
  await chat.idle();
  await until('the face of starting to go', async () => (await chat.frame.getByText(/Starting Sleeper/).count()) === 0);
});

test('Restricted Mode starts nothing and says what to do', async ({ openWindow }) => {
  const agent = new FakeAgent(newLog());
  const window = await openWindow({ settings: agent.settings, trust: false });
  const frame = await window.workbench
    .runCommand('Parley: Open Chat')
    .then(() => window.workbench.chat({ selector: 'text=/Restricted Mode/' }));
  const chat = new Chat(frame);
  await chat
    .button(/Workspace Trust/)
    .first()
    .waitFor();
  expect(agent.received()).toEqual([]);
});

test('without a folder nothing starts before one is chosen, and the scratch folder is not the home folder', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newLog());
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

test('five questions at once are kept apart, and Stop answers what is left', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('%%PERMISSIONS5');
  const cards = chat.frame.getByRole('group', { name: /^Permission: / });
  await until('five questions', async () => (await cards.count()) === 5);
  // One click: a second one, on a slow machine, would answer the card that has moved up.
  await cards.nth(2).getByRole('button', { name: 'Allow once', exact: true }).click();
  await until('four questions', async () => (await cards.count()) === 4);
  await chat.button('Stop').click();
  await until('no question', async () => (await cards.count()) === 0);
  await chat.idle();
  agent.check();
  expect(agent.received('session/cancel')).toHaveLength(1);
});

test('a question that waits out of sight brings the user there', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const { workbench } = window;
  const chat = new Chat(await window.openChat());
  await chat.send('%%TERMINAL until [ -e go ]; do sleep 0.05; done\n%%PERMISSION');
  await chat.button('Stop').waitFor();
  await workbench.hideSecondarySideBar();
  writeFileSync(join(window.folder, 'go'), '');
  await workbench.answerNotification(/Fake asks/, 'Show');
  const shown = new Chat(await workbench.chat({ selector: 'role=group[name=/^Permission/]' }));
  const option = shown.frame
    .getByRole('group', { name: /^Permission/ })
    .getByRole('button')
    .first();
  await option.click();
  await option.waitFor({ state: 'detached' });
  await shown.idle();
});

test('an agent that ignores Stop can be ended by force, and the next prompt works', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('%%IGNORECANCEL\n%%SILENT');
  await until('the prompt at the agent', () => agent.received('session/prompt').length === 1);
  await chat.button('Stop').click();
  await chat
    .button(/^Force Stop/i)
    .first()
    .click();
  await chat.sees(/force-stopped/);
  await chat.send('%%SAY alive');
  await chat.sees('alive');
  expect(agent.received('session/cancel')).toHaveLength(1);
});

test('noise, unknown things and broken envelopes on the wire disturb nobody', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send(
    '%%NOISE\n%%SPLITUTF8\n%%UNKNOWNUPDATE\n%%UNKNOWNREQUEST\n%%BADENVELOPES\n%%BATCH\n%%U2028\n%%SAY still here',
  );
  await chat.sees('still here');
  await chat.idle();
  agent.check();
});

test('output of a command that the agent runs itself is shown in a terminal card', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('%%VIRTUALTERMINAL first\\r\\n|\\u001b[32msecond\\u001b[0m\\r\\n');
  await chat.idle();
  await chat.sees('first');
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
  const agent = new FakeAgent(newLog(), { ignoreStdinEnd: true });
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
