import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test, type Window } from './harness';

/* MCP servers from the user's settings and from a repository that nobody has looked at yet. */

function writeServers(folder: string, servers: object, inputs: readonly object[] = []): void {
  mkdirSync(join(folder, '.vscode'), { recursive: true });
  writeFileSync(
    join(folder, '.vscode/mcp.json'),
    `{\n  // Whoever wrote this repository.\n  "servers": ${JSON.stringify(servers)},\n  "inputs": ${JSON.stringify(inputs)},\n}\n`,
  );
}

interface PassedServer {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** The servers of the sessions that were opened so far besides the editor's own, the latest last. */
function passed(agent: FakeAgent): PassedServer[][] {
  return agent
    .received('session/new')
    .map((message) => (message['params'].mcpServers as PassedServer[]).filter(({ name }) => name !== 'vscode'));
}

async function review(window: Window, answer: string): Promise<string> {
  const { workbench } = window;
  await workbench.openList('Parley: Show MCP Servers', /evil/);
  await workbench.pick(/evil/);
  const dialog = workbench.dialog(/Allow agents to use the MCP server “evil”/);
  await dialog.waitFor();
  const words = await dialog.innerText();
  await dialog.getByRole('button', { name: answer, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  // The list comes back for the next server.
  await workbench.quickInputRows(/evil/).waitFor();
  await workbench.closeQuickInput();
  return words;
}

test('65, 66 a repository’s server is passed on once the user agreed to it, and asked about again when it changes', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog());
  const window = await openWindow({
    settings: {
      ...agent.settings,
      'parley.mcpServers': { mine: { command: 'node', args: ['${workspaceFolder}'] }, broken: { args: [] } },
    },
  });
  const { workbench, folder } = window;
  const personal = join(window.server.dataDir, 'data/User/mcp.json');
  onTestFinished(() => rmSync(personal, { force: true }));
  mkdirSync(join(personal, '..'), { recursive: true });
  writeFileSync(personal, JSON.stringify({ servers: { personal: { command: 'node' } } }));
  writeServers(folder, {
    evil: { command: 'node', args: ['-e', 'steal()'] },
    web: { url: 'https://mcp.example/' },
  });
  const chat = new Chat(await window.openChat());
  const newSession = async (count: number) => {
    await workbench.runCommand('Parley: New Session');
    await until(`${count} sessions`, () => agent.received('session/new').length === count);
    // A panel that takes the focus only now would close the next picker.
    await window.openChat();
  };

  await chat.send('%%SAY first');
  await chat.idle();
  expect(passed(agent)).toEqual([
    [{ name: 'mine', command: expect.stringMatching(/^\/.*\/node$/), args: [folder], env: [] }],
  ]);
  const button = chat.button(/^Review 3 MCP servers$/);
  await button.waitFor();
  const tooltip = (await button.getAttribute('title'))!;
  expect(tooltip.split('\n')).toEqual([
    'vscode: tools of VS Code (not connected yet)',
    'mine: passed on',
    'broken: not passed on (it has no command)',
    'personal: not passed on (it needs your review)',
    'evil: not passed on (it needs your review)',
    'web: not passed on (it needs your review)',
  ]);

  const words = await review(window, 'Allow');
  expect(words).toContain('node -e "steal()"');
  await workbench.notification(/applies to the next session/).waitFor();
  await newSession(2);
  expect(passed(agent)[1]!.map(({ name }) => name)).toEqual(['mine', 'evil']);

  // The repository is pulled, and its server is another one now.
  writeServers(folder, { evil: { command: 'node', args: ['-e', 'stealMore()'] } });
  await newSession(3);
  expect(passed(agent)[2]!.map(({ name }) => name)).toEqual(['mine']);
  expect(await review(window, 'Don’t Allow')).toMatch(/has changed since you decided[\s\S]*stealMore/);
  await newSession(4);
  expect(passed(agent)[3]!.map(({ name }) => name)).toEqual(['mine']);
  agent.check();
});

test('51, 66 a secret is asked for once, goes to the server and nowhere else; without an answer the session opens without the server', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog());
  // In a window that another story has left, a new session would ask at once.
  const window = await openWindow({
    fresh: true,
    settings: {
      ...agent.settings,
      'parley.mcpServers': {
        docs: { command: 'node', args: ['--key=${input:docs-token}'], env: { TOKEN: '${input:docs-token}' } },
      },
    },
  });
  const { workbench } = window;
  let chat = new Chat(await window.openChat());
  const question = workbench.page.locator('.quick-input-widget:visible', { hasText: 'docs-token' });

  await chat.box.fill('%%SAY without');
  await chat.box.press('Enter');
  await question.waitFor();
  await workbench.page.keyboard.press('Escape');
  await chat.sees(/^without$/);
  await chat.idle();
  expect(passed(agent)).toEqual([[]]);
  const left = chat.button('MCP servers: 1 of 2');
  await left.waitFor();
  expect((await left.getAttribute('title'))?.split('\n').at(-1)).toBe(
    'docs: not passed on (“docs-token” was not answered)',
  );

  // Also where the panel has to be drawn first, it does not take the focus from the question.
  await workbench.hideSecondarySideBar();
  await workbench.runCommand('Parley: New Session');
  await question.waitFor();
  chat = new Chat(await workbench.chat());
  // VS Code gives it the focus a moment after it is drawn.
  await expect.poll(() => workbench.quickInput.evaluate((box) => box === document.activeElement)).toBe(true);
  expect(await workbench.quickInput.getAttribute('type')).toBe('password');
  await workbench.answer('sk-hush');
  await until('a second session', () => agent.received('session/new').length === 2);
  expect(passed(agent)[1]).toMatchObject([
    { name: 'docs', args: ['--key=sk-hush'], env: [{ name: 'TOKEN', value: 'sk-hush' }] },
  ]);
  await workbench.runCommand('Parley: New Session');
  await until('a third session', () => agent.received('session/new').length === 3);
  expect(passed(agent)[2], 'kept from the first time').toEqual(passed(agent)[1]);

  // A repository's server that asks under the same id does not get the answer of another.
  writeServers(window.folder, { evil: { command: 'node', args: ['${input:docs-token}', '${input:level}'] } }, [
    { type: 'pickString', id: 'level', description: 'How much', options: ['low', { label: 'High', value: '9' }] },
  ]);
  await chat.button('Review 1 MCP server').waitFor();
  expect(await review(window, 'Allow')).toMatch(/these inputs: docs-token, level/);
  await workbench.runCommand('Parley: New Session');
  await question.waitFor();
  await workbench.page.locator('.quick-input-title', { hasText: 'MCP Server evil' }).waitFor();
  await workbench.answer('another');
  await workbench.pick(/High/);
  await until('a fourth session', () => agent.received('session/new').length === 4);
  expect(passed(agent)[3]).toMatchObject([
    { name: 'docs', args: ['--key=sk-hush'] },
    { name: 'evil', args: ['another', '9'] },
  ]);

  const files = readdirSync(window.server.dataDir, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((file) => /\.(log|json|jsonl|ndjson)$/.test(file));
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((file) => readFileSync(file, 'utf8').includes('sk-hush'))).toEqual([]);
  agent.check();
});
