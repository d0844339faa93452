import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { screenshots, test } from './harness';
import { lens, toChange } from './underReview';

/* What the user asks from outside the panel. */

test('a problem is put before the agent with a quick fix, and goes only when the user sends it', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog());
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
  const agent = new FakeAgent(newWireLog());
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
  const [agent, log] = [FakeAgent.shared(), newWireLog()];
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
