import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { test } from './harness';
import { picture } from './underReview';

/* What somebody sees who has just installed Parley. */

test('a new user is led to the panel once, and the walkthrough ticks off what was done', async ({ openWindow }) => {
  const window = await openWindow({
    own: true,
    settings: { 'workbench.welcomePage.walkthroughs.openOnInstall': true },
  });
  const { workbench } = window;
  const { page } = workbench;
  await workbench.notification(/Parley is installed/).waitFor();
  await picture(window, 'greeting');
  await workbench.answerNotification(/Parley is installed/, 'Open Parley');
  const chat = new Chat(await workbench.chat());
  // No agent starts before it is asked for something.
  await workbench.statusBarItem(/^Parley: Parley Demo$/).waitFor();
  // The box takes the focus when the panel has loaded, and with it closes what was opened meanwhile.
  await until('the focus in the message box', () =>
    chat.box.evaluate((box) => box === document.activeElement && document.hasFocus()),
  );

  await workbench.runCommand('Welcome: Open Walkthrough...');
  await workbench.pick(/Get Started with Parley/);
  const step = (title: string) => page.locator('.getting-started-step').filter({ hasText: title });
  const isDone = (title: string) => step(title).locator('.codicon-getting-started-step-checked.complete').isVisible();
  for (const title of ['Select an agent', 'Ask for something', 'Review what changed', 'Decide what the agent may do']) {
    await step(title).waitFor();
    expect(await isDone(title), title).toBe(false);
  }
  await step('Decide what the agent may do').click();
  await picture(window, 'walkthrough');

  // Nothing has to be typed, and the keyboard goes on from the chat.
  await chat.button(/^Try the demo/).click();
  await chat.answer(/^Permission: Edit src/, 'Allow once');
  await chat.answer(/^Permission: .*sample tests/, 'Allow once');
  await chat.idle();
  await chat.sees('Press F7');
  await page.getByRole('tab', { name: /tokenizer\.ts/ }).waitFor();
  await picture(window, 'tour-ended');
  // The bar has the files; the tree is there for who wants it.
  expect(await page.locator('.pane-header').filter({ hasText: 'Agent Changes' }).count()).toBe(0);
  await chat.box.focus();
  await page.keyboard.press('F7');
  await workbench.statusBarItem(/^Change 1 of /).waitFor();
  await page.keyboard.press('Alt+Enter');
  await workbench.statusBarItem(/to review/).waitFor({ state: 'detached' });

  await page.getByRole('tab', { name: /Get Started with Parley|Welcome/ }).click();
  for (const title of ['Select an agent', 'Ask for something', 'Decide what the agent may do', 'Review what changed'])
    await expect.poll(() => isDone(title), { message: title }).toBe(true);

  await workbench.reload();
  await window.openChat();
  expect(await workbench.notification(/Parley is installed/).count()).toBe(0);
});
