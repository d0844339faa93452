import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { test } from './harness';

/* The built-in agent, used as a user would on the first day. */

test('a prompt is answered in streamed Markdown', async ({ openWindow }) => {
  const window = await openWindow();
  const chat = new Chat(await window.openChat());
  await chat.send('/markdown');
  await chat.idle();
  // What is far from the eye is plain text until it comes near; the end of the answer is near.
  await chat.log.locator('pre code [class^=hl-]').first().waitFor();
  await chat.log.getByRole('heading', { name: 'An image' }).waitFor();
  // Drawn apart from the panel, in a frame that only VS Code can serve.
  await chat.log.getByRole('img', { name: 'Diagram: flowchart LR' }).waitFor();
  await window.workbench.statusBarItem(/^Parley: Parley Demo · Ask first/).waitFor();
});

test('an edit asks with its diff, is listed when allowed, and Undo brings the file back', async ({ openWindow }) => {
  const window = await openWindow();
  const file = join(window.folder, 'src/tokenizer.ts');
  const before = readFileSync(file, 'utf8');
  const chat = new Chat(await window.openChat());
  await chat.send('/edit');
  const card = chat.permission(/^Permission: Edit src\/tokenizer\.ts$/);
  await card.waitFor();
  for (const option of ['Allow once', 'Always allow edits', 'Reject'])
    await expect.poll(() => card.getByRole('button', { name: option, exact: true }).count()).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe(before);
  // In the title of the diff that it proposes, which closes with the answer.
  await chat.read(card.getByRole('button', { name: 'Allow once', exact: true }));
  await card.getByRole('button', { name: 'Open diff' }).click();
  const proposed = window.workbench.page.getByRole('tab', { name: /tokenizer\.ts \(proposed change\)/ });
  await proposed.waitFor();
  await window.workbench.page.locator('.editor-actions').getByRole('button', { name: 'Allow Proposed Change' }).click();
  await chat.idle();
  await expect.poll(() => proposed.count()).toBe(0);
  expect(readFileSync(file, 'utf8')).not.toBe(before);
  // In the bar over the message box; the turn has no line of its own that would say the same.
  const summary = chat.frame.getByText(/1 file/);
  await expect.poll(() => summary.count()).toBe(1);
  await chat.button('Undo').last().click();
  await window.workbench.dialog('Undo this session’s changes').getByRole('button', { name: 'Undo All' }).click();
  await until('the file as it was', () => readFileSync(file, 'utf8') === before);
  await until('an empty list of changes', async () => (await summary.count()) === 0);
});

test('a command runs in a real terminal, its card shows what the terminal shows', async ({ openWindow }) => {
  const window = await openWindow();
  const chat = new Chat(await window.openChat());
  await chat.send('/run');
  await chat.answer(/^Permission: .*sample tests/, 'Allow once');
  await chat.sees(/12 passed/);
  await chat.idle();
  // The end of the command is drawn a moment after its output.
  await expect.poll(() => chat.text()).toMatch(/exit 0/);
  const text = await chat.text();
  expect(text).toContain('100 %');
  // A progress bar rewrites its line: one is left of the thirty.
  expect(text.match(/Testing/g)).toHaveLength(1);
  expect(text).not.toContain('\u001b[');
});

test('a reload of the window brings back thread and draft without starting an agent', async ({ openWindow }) => {
  const window = await openWindow();
  let chat = new Chat(await window.openChat());
  await chat.send('/plan');
  await chat.idle();
  await chat.box.fill('half a thought');
  await window.keeps('half a thought');
  // Until then all that the turn has changed is drawn.
  const before = await chat.text();
  await window.workbench.reload();
  chat = new Chat(await window.openChat());
  await until('the thread as it was', async () => (await chat.text()) === before);
  await expect.poll(() => chat.box.inputValue()).toBe('half a thought');
  await window.workbench.statusBarItem(/^Parley: Parley Demo$/).waitFor();
  await chat.send('/plan');
  // The demo keeps no sessions: the user decides whether it gets to know what was said.
  await chat.button('Include').waitFor();
  await chat.button('Don’t include').click();
  await chat.idle();
  await chat.frame.getByText('The earlier conversation was not included').waitFor();
  expect(await chat.button('Include').count()).toBe(0);
});
