import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { copySampleWorkspace } from '../../launch/project.mjs';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test } from './harness';

test('67 an agent that takes more folders gets those of the workspace, but for what the user takes out of reach', async ({
  openWindow,
}) => {
  const log = newWireLog();
  const agent = new FakeAgent(log, {
    initializePatch: { agentCapabilities: { sessionCapabilities: { close: {}, additionalDirectories: {} } } },
  });
  const workspace = copySampleWorkspace();
  const others = ['docs', 'notes'].map((name) => join(workspace.folder, '..', name));
  for (const folder of others) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'page.md'), `what ${folder} says`);
  }
  const file = join(workspace.folder, '../all.code-workspace');
  writeFileSync(file, JSON.stringify({ folders: [{ path: 'sample-workspace' }, { path: 'docs' }, { path: 'notes' }] }));
  const window = await openWindow({ settings: agent.settings, folder: file });
  const { workbench } = window;
  const chat = new Chat(await window.openChat());
  const opened = () => agent.received('session/new').map((message) => message['params'].additionalDirectories);

  await chat.send(`%%READ ${join(others[0]!, 'page.md')}`);
  await until('a session', () => opened().length === 1);
  await chat.idle();
  expect(agent.received('session/new')[0]!['params'].cwd).toBe(workspace.folder);
  expect(opened()).toEqual([others]);

  // The button beside the title opens the list.
  await chat.button('Session folders: 3').click();
  await workbench.pick(/sample-workspace.*current/);
  await workbench.pick(/docs/);
  await workbench.page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK' }).click();
  await workbench.answerNotification(/folders apply to the next session/, 'New Session');
  await until('a second session', () => opened().length === 2);
  expect(opened()[1]).toEqual([others[1]]);
  await chat.button('Session folders: 2').waitFor();

  // Another folder can be the one that the agent works in.
  await workbench.openList('Parley: Select Session Folders', /notes/);
  await workbench.pick(/notes/);
  await workbench.page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK' }).click();
  await workbench.answerNotification(/folders apply to the next session/, 'New Session');
  await until('a third session', () => opened().length === 3);
  expect(agent.received('session/new')[2]!['params']).toMatchObject({
    cwd: others[1],
    additionalDirectories: [workspace.folder],
  });
  await chat.button('Session folders: 2').waitFor();

  // What is out of reach is asked about.
  await chat.send(`%%READ ${join(others[0]!, 'page.md')}`);
  await chat.answer(/^Permission: Read outside the workspace/, 'Reject');
  await chat.idle();
  agent.check();
  await window.close();
  workspace.remove();
});
