import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../launch/project.mjs';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { screenshots, test } from './harness';
import { lens, toChange } from './underReview';

/* What the user asks from outside the panel. */

const newLog = () => join(mkdtempSync(join(tmpdir(), 'parley-wire-')), 'wire.ndjson');

test('a problem is put before the agent with a quick fix, and goes only when the user sends it', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newLog());
  const window = await openWindow({ settings: agent.settings, fresh: true });
  const { workbench, folder } = window;
  const { page } = workbench;
  writeFileSync(join(folder, 'broken.json'), '{\n  "name": \n}\n');
  await workbench.openFile('broken.json');
  await page.locator('.squiggly-error').first().waitFor();
  await page.locator('.editor-instance .view-lines').click();
  // Each key acts on what the one before it has shown.
  await page.keyboard.press('F8');
  const peek = page.locator('.marker-widget');
  await peek.waitFor();
  await page.keyboard.press('Escape');
  await peek.waitFor({ state: 'detached' });
  // The light bulb says that there are quick fixes for this line: of an extension that starts late, too.
  await page.locator('.codicon-light-bulb:visible').first().waitFor();
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget').getByText('Fix with Fake').waitFor();
  await workbench.screenshot(join(screenshots, 'ask-quick-fix.png'));
  await page.locator('.action-widget').getByText('Fix with Fake').click();
  const chat = new Chat(await workbench.chat());
  await expect.poll(() => chat.box.inputValue()).toBe('Fix the attached problem. Change only what the fix needs.');
  await chat.button(/^Open Problem in broken\.json:\d+$/).waitFor();
  await workbench.screenshot(join(screenshots, 'ask-draft.png'));
  // Nothing goes before the user sends it.
  expect(agent.received('session/prompt')).toEqual([]);
  await chat.box.press('Escape');
  await chat.box.press('Enter');
  await expect.poll(() => agent.received('session/prompt').length).toBe(1);
  const { prompt } = agent.received('session/prompt')[0]!['params'] as { prompt: readonly unknown[] };
  expect(prompt).toEqual([
    { type: 'text', text: 'Fix the attached problem. Change only what the fix needs.' },
    {
      type: 'resource',
      resource: expect.objectContaining({ text: expect.stringMatching(/^broken\.json:\d+:\d+: error: /) }),
    },
    { type: 'resource', resource: expect.objectContaining({ uri: expect.stringMatching(/broken\.json#L\d/) }) },
  ]);
  agent.check();
});

test('a change is asked for in the editor, reviewed there, and its session opens on demand', async ({ openWindow }) => {
  const agent = new FakeAgent(newLog());
  const window = await openWindow({ settings: agent.settings, fresh: true });
  const { workbench, folder } = window;
  const { page } = workbench;
  const file = join(folder, 'src/tokenizer.ts');
  const before = readFileSync(file, 'utf8');
  const after = `// a first line\n${before}`;
  await workbench.openFile('tokenizer.ts');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+Alt+H');
  await workbench.quickInput.waitFor();
  await page.getByText('Ask Fake · tokenizer.ts:1').waitFor();
  await workbench.screenshot(join(screenshots, 'ask-here.png'));
  await workbench.answer(`%%WRITE ${file} ${Buffer.from(after).toString('base64')}`);
  // It goes by itself after ten seconds, but not while the mouse rests on it.
  await workbench.notification('Fake changed src/tokenizer.ts.').hover();
  // The focus has stayed, and the change is there, to keep or undo.
  expect(readFileSync(file, 'utf8')).toBe(after);
  await workbench.screenshot(join(screenshots, 'ask-here-changed.png'));
  const { prompt } = agent.received('session/prompt')[0]!['params'] as { prompt: readonly unknown[] };
  expect(prompt).toEqual([
    { type: 'text', text: expect.stringMatching(/^%%WRITE .*\n\nThis is about tokenizer\.ts:1\.$/) },
    { type: 'resource', resource: expect.objectContaining({ uri: expect.stringMatching(/tokenizer\.ts#L1$/) }) },
  ]);
  // VS Code draws lenses after it knows that the file has changes: from then on F7 is Parley's.
  await lens(window, /Keep|Undo/)
    .first()
    .waitFor();
  await toChange(window, /^Change 1 of 1 to review/);
  await page.keyboard.press('Alt+Backspace');
  await expect.poll(() => readFileSync(file, 'utf8')).toBe(before);
  await workbench.answerNotification('Fake changed src/tokenizer.ts.', 'Open in Panel');
  const chat = new Chat(await workbench.chat());
  await chat.log.getByText('This is about tokenizer.ts:1.').first().waitFor();
  agent.check();
});

test('another agent reviews what one has changed, and goes on where its plan ends', async ({ openWindow }) => {
  const [agent, log] = [FakeAgent.shared(), newLog()];
  const second = new FakeAgent(log, {}, { name: 'Second' });
  const scenario = join(mkdtempSync(join(tmpdir(), 'parley-scenario-')), 'scenario.json');
  const review = JSON.stringify([{ path: 'src/tokenizer.ts', line: 1, text: 'Says nothing.' }]);
  writeFileSync(scenario, JSON.stringify({ turns: [[`@@SAY ${review}`]] }));
  const others = second.settings['parley.agents'] as Record<string, { env: Record<string, string> }>;
  others['Second']!.env['FAKE_AGENT_SCENARIO'] = scenario;
  const agents = { ...(agent.settings['parley.agents'] as object), ...others };
  const window = await openWindow({ settings: { ...agent.settings, 'parley.agents': agents } });
  const { workbench, folder } = window;
  const { page } = workbench;
  const chat = new Chat(await window.openChat());
  const file = join(folder, 'src/tokenizer.ts');
  const text = `// a first line\n${readFileSync(file, 'utf8')}`;
  const resetsAt = Math.floor(Date.now() / 1000) + 3_600;
  const usage = {
    sessionUpdate: 'usage_update',
    used: 1_000,
    size: 200_000,
    cost: { amount: 0.25, currency: 'USD' },
    _meta: {
      '_claude/rateLimit': { rateLimitType: 'five_hour', status: 'allowed_warning', utilization: 0.92, resetsAt },
    },
  };
  const plan = [
    { content: 'Write it', priority: 'medium', status: 'completed' },
    { content: 'Test it', priority: 'medium', status: 'pending' },
  ];
  await chat.send(
    [
      `%%WRITE ${file} ${Buffer.from(text).toString('base64')}`,
      `%%PLAN ${JSON.stringify(plan)}`,
      `%%UPDATE ${JSON.stringify(usage)}`,
      '%%SAY Written.',
    ].join('\n'),
  );
  await chat.sees('Written.');
  await chat.idle();
  const limit = chat.frame.getByRole('group', { name: 'Usage limit' });
  await limit.getByText(/5-hour limit: 92% used, resets/).waitFor();
  await workbench.screenshot(join(screenshots, 'ask-limit.png'));

  await workbench.runCommand('Parley: Ask an Agent to Review…');
  await workbench.pick('Second');
  await workbench.answerNotification('Second has 1 remark on the changes.', 'Show Remarks');
  const remark = page.locator('.review-widget').filter({ hasText: 'Says nothing.' });
  await remark.waitFor();
  await workbench.screenshot(join(screenshots, 'ask-review-pending.png'));
  expect(JSON.stringify(second.received('session/prompt')[0]!['params'])).toContain('+// a first line');
  await remark.getByRole('button', { name: 'Send to the Session’s Agent' }).click();
  await expect
    .poll(() => chat.box.inputValue())
    .toBe('Look into the attached remark of Second on your changes. If it is right, fix the code.');
  await chat.button('Open Review by Second').waitFor();

  await limit.getByRole('button', { name: 'Continue With…' }).click();
  await workbench.pick('Second');
  await workbench.quickInputRows('Summary by Fake').waitFor();
  await workbench.screenshot(join(screenshots, 'ask-continue.png'));
  // What the first agent is told to do in the text that it summarizes is rejected.
  await workbench.pick('Summary by Fake');
  await expect.poll(() => chat.box.inputValue()).toMatch(/^Continue “.*”, the attached session of Fake\./);
  expect(readFileSync(file, 'utf8')).toBe(text);
  await chat.button(/^Open Session: /).waitFor();
  await workbench.screenshot(join(screenshots, 'ask-continue-draft.png'));
  // Nothing goes before the user sends it, and what the first agent changed is still to be decided.
  const asked = agent.received('session/prompt').map(({ params }) => JSON.stringify(params));
  expect(asked.map((prompt) => prompt.includes('<conversation>'))).toEqual([false, true]);
  expect(second.received('session/prompt')).toHaveLength(1);
  await workbench.statusBarItem(/to review/).waitFor();
  await chat.box.press('Escape');
  await chat.box.press('Enter');
  await expect.poll(() => second.received('session/prompt').length).toBe(2);
  const sent = JSON.stringify(second.received('session/prompt')[1]!['params']);
  for (const part of [
    '# Handed over from Fake',
    '- [x] Write it',
    '- [ ] Test it',
    'tokenizer.ts: modified',
    'Written.',
  ])
    expect(sent).toContain(part);

  await workbench.runCommand('Parley: Show Sessions');
  await chat.frame.locator('.session-today').getByText('$0.25').waitFor();
  await workbench.screenshot(join(screenshots, 'ask-usage.png'));
});

test('a failed test is asked about from the Testing view', async ({ openWindow }) => {
  const agent = new FakeAgent(newLog());
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
  const agent = new FakeAgent(newLog());
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
  const agent = new FakeAgent(newLog());
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

// The last one: what it chooses at its end stays in the window.
test('Ask Agent in the menus of the editor and the Explorer', async ({ openWindow }) => {
  const agent = new FakeAgent(newLog());
  const window = await openWindow({ settings: agent.settings });
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
