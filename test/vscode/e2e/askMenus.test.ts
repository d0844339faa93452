import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../launch/project.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { screenshots, test } from './harness';

/* What the user asks from the menus of VS Code. */

test('a failed test is asked about from the Testing view', async ({ openWindow }) => {
  const agent = new FakeAgent(newWireLog());
  const window = await openWindow({ settings: agent.settings, install: [root, join(root, 'test/vscode/caller')] });
  const { workbench } = window;
  const { page } = workbench;
  await workbench.palette('Testing: Focus on Test Explorer View');
  const item = page.getByRole('treeitem', { name: /adds numbers/ }).first();
  await item.waitFor();
  await workbench.palette('Test: Run All Tests');
  await page
    .getByRole('treeitem', { name: /adds numbers.*[Ff]ailed|[Ff]ailed.*adds numbers/ })
    .first()
    .waitFor();
  await item.click({ button: 'right' });
  await workbench.openSubmenu('Ask Agent');
  await page.getByRole('menuitem', { name: 'Fix', exact: true }).waitFor();
  await workbench.screenshot(join(screenshots, 'ask-test.png'));
  await workbench.chooseMenuItem('Fix');
  const chat = new Chat(await workbench.chat());
  await expect
    .poll(() => chat.box.inputValue())
    .toBe('Make the test “adds numbers” pass. Fix the code, or the test if the test is wrong.');
  await chat.button('Open parser.ts:3').waitFor();
  await chat.box.fill('');
  // Its message has what was expected.
  await workbench.palette('Test Results: Focus on Test Results View');
  const message = page
    .locator('.test-output-peek-tree')
    .getByRole('treeitem', { name: /sums differ/ })
    .first();
  await message.waitFor();
  await message.click({ button: 'right' });
  await workbench.openSubmenu('Ask Agent');
  await workbench.chooseMenuItem('Explain');
  await expect.poll(() => chat.box.inputValue()).toMatch(/^Explain what the test “adds numbers” checks/);
  await chat.button('Open Test result').waitFor();
  await workbench.screenshot(join(screenshots, 'ask-test-draft.png'));
  await chat.box.press('Escape');
  await chat.box.press('Enter');
  await expect.poll(() => agent.received('session/prompt').length).toBe(1);
  expect(JSON.stringify(agent.received('session/prompt')[0]!['params'])).toContain(
    'sums differ\\n\\nexpected:\\n4\\n\\nactual:\\n5',
  );
});

test('the selection of a terminal is asked about from its menu', async ({ openWindow }) => {
  const agent = new FakeAgent(newWireLog());
  // Drawn as text, so that it can be read here.
  const window = await openWindow({ settings: { ...agent.settings, 'terminal.integrated.gpuAcceleration': 'off' } });
  const { workbench } = window;
  const { page } = workbench;
  await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await workbench.palette('Terminal: Create New Terminal');
  const terminal = page.locator('.terminal-wrapper.active .xterm-screen').first();
  await terminal.waitFor();
  await terminal.click();
  await page.keyboard.type('echo all is lost\n');
  // What was typed and what the shell says: without any text there is nothing to select.
  await expect
    .poll(() => page.locator('.terminal-wrapper.active .xterm-rows').innerText())
    .toMatch(/all is lost[^]*all\sis\slost/);
  await workbench.palette('Terminal: Select All');
  // The palette is gone before its command has run.
  await page.locator('.terminal-wrapper.active .xterm-selection > div').first().waitFor({ state: 'attached' });
  await terminal.click({ button: 'right', position: { x: 5, y: 5 } });
  await workbench.openSubmenu('Ask Agent');
  await workbench.screenshot(join(screenshots, 'ask-terminal.png'));
  await workbench.chooseMenuItem('Fix');
  const chat = new Chat(await workbench.chat());
  await expect
    .poll(() => chat.box.inputValue())
    .toBe('Find out what went wrong in the attached terminal output, and fix it.');
  await chat.button('Open Terminal selection').waitFor();
});

test('a paused program is asked about from the call stack, a variable and the debug console', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog());
  const window = await openWindow({ settings: agent.settings, install: [root, join(root, 'test/vscode/caller')] });
  const { workbench } = window;
  const { page } = workbench;
  await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await workbench.palette('Parley Test: Debug');
  await workbench.palette('View: Show Run and Debug');
  const frame = page.locator('.debug-call-stack .stack-frame').filter({ hasText: 'parse' }).first();
  await frame.click({ button: 'right' });
  await workbench.openSubmenu('Ask Agent');
  await page.getByRole('menuitem', { name: 'Explain', exact: true }).waitFor();
  await workbench.screenshot(join(screenshots, 'ask-debug.png'));
  await workbench.chooseMenuItem('Explain');
  const chat = new Chat(await workbench.chat());
  const words = 'The debugger is paused. Explain the attached state and how the program got there.';
  await expect.poll(() => chat.box.inputValue()).toBe(words);
  await chat.button('Open Call stack').waitFor();
  await chat.box.fill('');
  const variables = page.locator('.debug-variables');
  await variables.getByText('Locals').first().waitFor();
  // VS Code opens them by itself, but not if the frame is chosen again meanwhile. The key leaves them open.
  await variables.locator('.monaco-list').first().focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await variables.getByText('index').first().click({ button: 'right' });
  await workbench.openSubmenu('Ask Agent');
  await workbench.chooseMenuItem('Explain');
  await expect.poll(() => chat.box.inputValue()).toBe(words);
  await chat.button('Open index').waitFor();
  await chat.box.press('Escape');
  await chat.box.press('Enter');
  await expect.poll(() => agent.received('session/prompt').length).toBe(1);
  const sent = JSON.stringify(agent.received('session/prompt')[0]!['params']);
  expect(sent).toContain('parse (src/parser.ts:13)');
  expect(sent).toContain('index: number = -1');
  await workbench.palette('Debug Console: Focus on Debug Console View');
  await page.locator('.repl').getByText('index is below 0').waitFor();
  await page
    .locator('.panel .title-actions')
    .getByRole('button', { name: /More Actions/ })
    .first()
    .click();
  await workbench.openSubmenu('Ask Agent');
  await workbench.chooseMenuItem('Fix');
  await expect.poll(() => chat.box.inputValue()).toMatch(/^Find out what went wrong in the attached output/);
  await chat.button('Open Debug console').waitFor();
});

test('Ask Agent in the menus of the editor and the Explorer', async ({ openWindow }) => {
  const agent = new FakeAgent(newWireLog());
  // What it chooses at its end outlives the window, so other windows must not share it.
  const window = await openWindow({ settings: agent.settings, own: true });
  const { workbench } = window;
  const { page } = workbench;
  const choose = async (name: string) => {
    await workbench.openSubmenu('Ask Agent');
    await page.getByRole('menuitem', { name, exact: true }).waitFor();
    await workbench.screenshot(join(screenshots, `ask-menu-${name}.png`));
    await workbench.chooseMenuItem(name);
  };
  await workbench.openFile('evaluate.ts');
  await page.keyboard.press('Control+Home');
  for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+F10');
  await choose('Explain');
  const chat = new Chat(await workbench.chat());
  await expect.poll(() => chat.box.inputValue()).toBe('Explain the attached code.');
  await chat.button('Open evaluate.ts:1-3').waitFor();
  await chat.box.fill('');
  await page.getByRole('treeitem', { name: 'tokenizer.ts' }).first().click({ button: 'right' });
  await choose('Review');
  await expect.poll(() => chat.box.inputValue()).toMatch(/^Review the attached files\./);
  await chat.button('Open tokenizer.ts').waitFor();
  expect(agent.received('session/prompt')).toEqual([]);
  // The user may choose that prompts go at once.
  await chat.box.fill('');
  await workbench.openFile('parser.ts');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.press('Shift+F10');
  await choose('When You Ask…');
  await workbench.pick('Send the prompt at once');
  await workbench.openFile('parser.ts');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.press('Shift+F10');
  await choose('Write Tests');
  await expect.poll(() => agent.received('session/prompt').length).toBe(1);
  expect(agent.received('session/prompt')[0]!['params']).toMatchObject({
    prompt: [
      { text: expect.stringMatching(/^Write tests for the attached code/) },
      { resource: { uri: expect.stringMatching(/parser\.ts#L1$/) } },
    ],
  });
  agent.check();
});
