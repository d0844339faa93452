import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test, type Window } from './harness';

/* What the user learns of an agent without being disturbed: once with the mouse and once with the keyboard. */

/** The agent runs a command that ends when the file is there. */
const waitFor = (file: string) => `%%TERMINAL until [ -e ${file} ]; do sleep 0.05; done`;
const go = (window: Window, file: string) => writeFileSync(join(window.folder, file), '');
const read = (window: Window, file: string, line: number) =>
  `%%TOOL ${JSON.stringify({ title: `Read ${file}`, kind: 'read', status: 'completed', locations: [{ path: join(window.folder, file), line }] })}`;
const tab = (window: Window, name: string) => window.workbench.page.getByRole('tab', { name, selected: true });
const editorHasFocus = (window: Window) =>
  window.workbench.page.evaluate(() => document.activeElement?.closest('.editor-instance') !== null);
const prompts = (agent: FakeAgent) =>
  agent.received('session/prompt').map((message) => message['params'].prompt[0].text);

test('with the mouse: notified out of sight, led to the question, the queue dragged into another order', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog());
  const window = await openWindow({ settings: { ...agent.settings, 'parley.notifications': 'all' } });
  const { workbench } = window;
  const chat = new Chat(await window.openChat());
  await chat.send(`${waitFor('go')}\n%%PERMISSION Change everything`);
  await workbench.statusBarItem(/^Parley: Fake · Ask, 1 running$/).waitFor();
  await expect
    .poll(() => chat.frame.getByRole('note', { name: 'Running turn' }).innerText())
    .toMatch(/until \[ -e go \]/);
  await workbench.openFile('evaluate.ts');
  await workbench.hideSecondarySideBar();
  await workbench.page.locator('.editor-instance .view-lines').click();
  go(window, 'go');
  const asked = workbench.notification('Fake asks: Change everything');
  await asked.waitFor();
  expect(await editorHasFocus(window)).toBe(true);
  expect(await asked.count()).toBe(1);
  await workbench.statusBarItem(/^Parley: Fake · Ask, 1 waiting$/).waitFor();
  await workbench.answerNotification('Fake asks: Change everything', 'Show');

  const again = new Chat(await workbench.chat());
  // The button leads there with the focus.
  await expect
    .poll(() =>
      again.permission('Change everything').evaluate((card) => card === document.activeElement && document.hasFocus()),
    )
    .toBe(true);
  for (const text of ['%%SAY first', '%%SAY second', `${waitFor('end')}\n%%SAY third`]) {
    await again.box.fill(text);
    await again.box.press('Escape');
    await again.box.press('Enter');
  }
  const queue = again.frame.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
  await expect.poll(() => queue.count()).toBe(3);
  await again.button('Move: %%SAY second, 2 of 3').hover();
  const target = await again.button(/^Move: .*, 1 of 3$/).boundingBox();
  await workbench.page.mouse.down();
  await workbench.page.mouse.move(target!.x + 4, target!.y + 4, { steps: 4 });
  await workbench.page.mouse.up();
  await again.button('Move: %%SAY second, 1 of 3').waitFor();
  await again.answer(/Change everything/, 'Allow once');
  await until('the third prompt', () => prompts(agent).length === 4);
  expect(prompts(agent).slice(1, 3)).toEqual(['%%SAY second', '%%SAY first']);
  await workbench.hideSecondarySideBar();
  go(window, 'end');
  await workbench.notification('Fake has finished').waitFor();
  await workbench.statusBarItem(/^Parley: Fake · Ask, 1 unread$/).click();
  await workbench.statusBarItem(/^Parley: Fake · Ask$/).waitFor();
  await new Chat(await workbench.chat()).sees('third');
  agent.check();
});

test('with the keyboard: the agent is followed until the user types, and a queued message goes into the running turn', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog(), { initializePatch: { _meta: { steering: { supported: true } } } });
  const window = await openWindow({ settings: agent.settings });
  const { workbench } = window;
  const { keyboard } = workbench.page;
  const chat = new Chat(await window.openChat());
  const follow = chat.button('Follow the agent');
  await chat.send(
    [
      read(window, 'src/tokenizer.ts', 50),
      waitFor('one'),
      read(window, 'src/parser.ts', 70),
      waitFor('edit'),
      `%%WRITE ${join(window.folder, 'src/parser.ts')} ${Buffer.from('one\ntwo\n').toString('base64')}`,
      waitFor('next'),
      read(window, 'package.json', 2),
      waitFor('two'),
      read(window, 'src/evaluate.ts', 3),
      waitFor('three'),
    ].join('\n'),
  );
  await workbench.runCommand('Parley: Follow the Agent');
  await tab(window, 'tokenizer.ts').waitFor();
  await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('true');
  await chat.box.focus();
  go(window, 'one');
  await tab(window, 'parser.ts').waitFor();
  await workbench.page.locator('.line-numbers', { hasText: /^70$/ }).waitFor();
  // One preview tab, and the focus stays in the message box.
  const tabs = workbench.page.locator('.editor-group-container .tab');
  expect(await tabs.count()).toBe(1);
  expect(await chat.box.evaluate((box) => box === document.activeElement)).toBe(true);
  await chat.box.fill('use tabs');
  await keyboard.press('Enter');
  await chat.button('Send now (adds to the running turn): use tabs').focus();
  await keyboard.press('Enter');
  await chat.sees('[steered: use tabs]');
  expect(prompts(agent)).toHaveLength(1);
  expect(agent.received('session/cancel')).toHaveLength(0);

  // A tab that an edit made stay gives way too.
  go(window, 'edit');
  await chat.sees('[WRITE {}]');
  go(window, 'next');
  await tab(window, 'package.json').waitFor();
  await expect.poll(() => tabs.count()).toBe(1);

  await workbench.runCommand('View: Focus Active Editor Group');
  await expect.poll(() => editorHasFocus(window)).toBe(true);
  await keyboard.press('ArrowDown');
  await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('false');
  go(window, 'two');
  await chat.sees('Read src/evaluate.ts');
  go(window, 'three');
  await chat.idle();
  expect(await tab(window, 'package.json').count()).toBe(1);
  expect(await workbench.page.getByRole('tab', { name: 'evaluate.ts' }).count()).toBe(0);
  agent.check();
});

test('notifications come only where they are wanted; the agent is followed until the wheel turns', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog());
  // Fresh, because a session of an earlier test may end just now, which the status bar counts.
  const window = await openWindow({ settings: { ...agent.settings, 'parley.notifications': 'off' }, fresh: true });
  const { workbench } = window;
  const toasts = workbench.notification(/^Fake/);
  /** A file comes a second later: by then a notification would stand. */
  const later = (file: string) => `%%TERMINALLEAVE sleep 1; touch ${file}`;
  const passed = (file: string) => until(file, () => existsSync(join(window.folder, file)));
  let chat = new Chat(await window.openChat());
  const back = async (status: RegExp) => {
    await workbench.statusBarItem(status).click();
    chat = new Chat(await workbench.chat());
  };

  // Off: neither for a question.
  await chat.send(`${waitFor('one')}\n${later('one-later')}\n%%PERMISSION Quiet`);
  await workbench.hideSecondarySideBar();
  go(window, 'one');
  await workbench.statusBarItem(/1 waiting$/).waitFor();
  await passed('one-later');
  expect(await toasts.count()).toBe(0);
  await window.workbench.changeSettings({ 'parley.notifications': 'waiting' });
  await back(/1 waiting$/);
  await chat.answer(/Quiet/, 'Allow once');
  await chat.idle();
  // Waiting only: not for an end, but for a question.
  await chat.send(`${waitFor('two')}\n${later('two-later')}`);
  await workbench.hideSecondarySideBar();
  go(window, 'two');
  await workbench.statusBarItem(/1 unread$/).waitFor();
  await passed('two-later');
  expect(await toasts.count()).toBe(0);
  await back(/1 unread$/);
  await chat.send(`${waitFor('three')}\n%%PERMISSION Loud`);
  await workbench.hideSecondarySideBar();
  go(window, 'three');
  await workbench.notification('Fake asks: Loud').waitFor();
  await workbench.runCommand('Notifications: Accept Notification Primary Action');
  chat = new Chat(await workbench.chat());

  await expect
    .poll(() => chat.permission('Loud').evaluate((card) => card === document.activeElement && document.hasFocus()))
    .toBe(true);
  await chat.answer(/Loud/, 'Allow once');
  await chat.idle();

  // Followed by mouse, until the wheel turns elsewhere.
  await chat.send(
    [read(window, 'src/parser.ts', 2), waitFor('four'), read(window, 'src/evaluate.ts', 3), waitFor('five')].join('\n'),
  );
  const follow = chat.button('Follow the agent');
  await follow.click();
  await tab(window, 'parser.ts').waitFor();
  await expect.poll(() => follow.getAttribute('aria-pressed')).toBe('true');
  await workbench.page.locator('.editor-instance .view-lines').hover();
  // What scrolls in the moment after a file was opened is no wish of the user's (view/follow.ts), who scrolls on.
  await until(
    'the end of following',
    async () => {
      await workbench.page.mouse.wheel(0, 400);
      return (await follow.getAttribute('aria-pressed')) === 'false';
    },
    { interval: 500 },
  );
  // A queued message that goes out takes no focus along from where the user is now.
  await chat.box.fill('later');
  await chat.box.press('Enter');
  await chat.button('Remove: later').focus();
  await workbench.page.locator('.editor-instance .view-lines').click();
  await expect.poll(() => editorHasFocus(window)).toBe(true);
  go(window, 'four');
  await chat.sees('Read src/evaluate.ts');
  go(window, 'five');
  await chat.sees('You said: later');
  await chat.idle();
  expect(await editorHasFocus(window)).toBe(true);
  expect(await workbench.page.getByRole('tab', { name: 'evaluate.ts' }).count()).toBe(0);
  agent.check();
});
