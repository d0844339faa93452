import { expect } from 'vitest';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { test } from './harness';

/* Several sessions, and what waits in them. */

test('71 two sessions go on side by side, and the list leads from one to the other', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings, reuse: true });
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY the first\n%%PERMISSION Change everything');
  await chat.permission('Change everything').waitFor();
  await window.workbench.runCommand('Parley: New Session');
  await chat.button('Show that session: Change everything').waitFor();
  await chat.send('%%SAY the second');
  await chat.sees('the second');
  await chat.idle();
  await expect.poll(() => chat.text()).not.toContain('the first');
  await window.workbench.runCommand('Parley: Show Sessions');
  const rows = chat.frame.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(2);
  // By keyboard: the focus is in the search box.
  await chat.frame.getByRole('textbox', { name: 'Search sessions' }).fill('the first');
  await expect.poll(() => rows.count()).toBe(1);
  await chat.frame.getByRole('textbox', { name: 'Search sessions' }).press('ArrowDown');
  await window.workbench.page.keyboard.press('Enter');
  await chat.sees('the first');
  await chat.answer(/Change everything/, 'Allow once');
  await chat.idle();
  expect(agent.received('initialize')).toHaveLength(1);
  expect(agent.received('session/new')).toHaveLength(2);
  agent.check();
});

test('84 what is sent while a turn runs waits for its end, and can be taken back', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings, reuse: true });
  const chat = new Chat(await window.openChat());
  await chat.send('%%PERMISSION Go on');
  await chat.permission('Go on').waitFor();
  for (const text of ['%%SAY from the queue', 'not this one']) {
    await chat.box.fill(text);
    await chat.box.press('Enter');
  }
  const queue = chat.frame.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
  await expect.poll(() => queue.count()).toBe(2);
  await chat.button('Edit: not this one').click();
  await expect.poll(() => chat.box.inputValue()).toBe('not this one');
  expect(agent.received('session/prompt')).toHaveLength(1);
  await chat.answer(/Go on/, 'Allow once');
  await chat.sees('from the queue');
  await chat.idle();
  expect(agent.received('session/prompt')).toHaveLength(2);
  await expect.poll(() => queue.count()).toBe(0);

  // Stop pauses the queue: what is sent by hand goes at once and does not resume it.
  await chat.send('%%SILENT');
  await chat.box.fill('%%SAY later');
  await chat.box.press('Enter');
  await expect.poll(() => queue.count()).toBe(1);
  await chat.button('Stop').click();
  const paused = chat.frame.getByRole('group', { name: 'Queue' });
  await paused.waitFor();
  await chat.send('%%SAY by hand');
  await chat.sees('by hand');
  await chat.idle();
  expect(agent.received('session/prompt')).toHaveLength(4);
  await paused.getByRole('button', { name: 'Resume' }).click();
  await chat.sees('later');
  await chat.idle();
  expect(agent.received('session/prompt')).toHaveLength(5);
});
