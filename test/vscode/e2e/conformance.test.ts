import { isAbsolute, join } from 'node:path';
import { expect } from 'vitest';
import { readWireLog } from '../../fakes/wireLog';
import { until } from '../../launch/poll.mjs';
import { isAlive } from '../../stdio/harness';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test } from './harness';

/* Items of the checklist (test/conformance) that only the whole extension in a VS Code can keep or break. */

test('22, 52, 53, 55, 72 initialize comes first and alone, then a session in the workspace’s folder, then the prompt', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(
    newWireLog(),
    { initializeDelay: 600, sessionDelay: 200, initializePatch: { authMethods: [{ id: 'a', name: 'Somewhere' }] } },
    { name: 'Hasty' },
  );
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY at last');
  // Who does not wait presses what there is; none of it may reach the agent before it has answered.
  await until('the agent to have been asked', () => agent.received('initialize').length > 0);
  await chat.box.fill('and one more');
  await chat.box.press('Enter');
  await window.workbench.page.keyboard.press('Control+.');
  await chat.sees(/^at last$/);
  await chat.idle();
  agent.check();
  const methods = agent.received().flatMap((message) => message['method'] ?? []);
  expect(methods.filter((method) => method !== 'session/set_mode').slice(0, 3)).toEqual([
    'initialize',
    'session/new',
    'session/prompt',
  ]);
  expect(agent.received('session/new')[0]!['params']).toMatchObject({
    cwd: window.folder,
    mcpServers: [{ name: 'vscode' }],
  });
  expect(isAbsolute(window.folder)).toBe(true);
});

test('103 a location opens its file at its line, and a line that is not there does no harm', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const { page } = window.workbench;
  const chat = new Chat(await window.openChat());
  const call = (title: string, line: number) =>
    `%%TOOL ${JSON.stringify({ title, kind: 'read', status: 'failed', locations: [{ path: join(window.folder, 'src/parser.ts'), line }] })}`;
  await chat.send(`${call('Third line', 3)}\n${call('Far line', 100_000)}\n${call('No line', 0)}`);
  await chat.idle();
  const open = async (title: string) => {
    const card = chat.toolCall(new RegExp(title));
    await card.waitFor();
    if ((await card.locator('a.location').count()) === 0) await card.getByRole('button').first().click();
    await card.locator('a.location').first().click();
    await page.getByRole('tab', { name: /parser\.ts/, selected: true }).waitFor();
  };
  await open('Third line');
  await page.getByRole('button', { name: /^Ln 3, Col 1/ }).waitFor();
  await open('Far line');
  await until('the last line', async () => !(await page.getByRole('button', { name: /^Ln 3, Col 1/ }).isVisible()));
  await open('No line');
  agent.check();
});

test('125, 190 Escape and hiding answer nothing, and what the agent calls things is text', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const { workbench } = window;
  let chat = new Chat(await window.openChat());
  const title = '<img src=x onerror="parent.hacked=1"> [stop](command:workbench.action.closeWindow) $(trash)';
  const allow = '<b>Allow</b> **all** &amp;';
  await chat.send(
    `%%PERMISSIONWITH ${JSON.stringify({
      toolCall: { toolCallId: 'h', title },
      options: [
        { optionId: 'yes', name: allow, kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ],
    })}`,
  );
  const card = () => chat.frame.getByRole('group', { name: /^Permission: <img/ });
  await card().waitFor();
  await expect.poll(() => card().getByRole('button', { name: allow }).count()).toBe(1);
  expect(await card().locator('img, b, strong, a[href^="command"]').count()).toBe(0);
  const answers = () => agent.received().filter((message) => message['result']?.outcome);

  await card().press('Escape');
  await chat.box.press('Escape');
  await workbench.hideSecondarySideBar();
  await workbench.showSecondarySideBar();
  chat = new Chat(await window.openChat());
  await card().waitFor();
  expect(answers()).toEqual([]);

  await chat.answer(/^Permission: <img/, 'No');
  await chat.idle();
  expect(answers().map((message) => message['result'].outcome)).toEqual([{ outcome: 'selected', optionId: 'no' }]);
  agent.check();
});

test('73, 189 a window that goes takes its agent and all that it started along, and the next one starts none by itself', async ({
  openWindow,
}) => {
  const log = newWireLog();
  const agent = new FakeAgent(log, { grandchild: 'free' });
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('%%PERMISSION');
  await chat.frame.getByRole('group', { name: /^Permission: / }).waitFor();
  const pids = () =>
    readWireLog(log).flatMap((entry) =>
      entry.event === 'start' || entry.event === 'grandchild' ? [entry['pid'] as number] : [],
    );
  expect(pids().filter(isAlive)).toHaveLength(2);
  await window.workbench.reload();
  await until('the agent and what it started to be gone', () => !pids().some(isAlive));
  await window.openChat();
  expect(pids(), 'no agent starts by itself').toHaveLength(2);
  agent.check();
});
