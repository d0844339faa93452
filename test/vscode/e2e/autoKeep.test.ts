import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { test } from './harness';
import { picture, scriptedAgent, walkTo, writes } from './underReview';

/*
 * `parley.review.autoKeep` in all its modes; each is taken back, or stopped, once with the mouse and once with the
 * keyboard.
 */

test('changes are kept with the next prompt, after a countdown that can be held and stopped, and with a commit', async ({
  openWindow,
}) => {
  const agent = scriptedAgent();
  const window = await openWindow({
    settings: { 'files.autoSave': 'off', ...agent.settings, 'parley.review.autoKeep': 'onNextPrompt' },
  });
  const { workbench, folder } = window;
  const { page } = workbench;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  const chat = new Chat(await window.openChat());
  const waiting = (count: number) =>
    count === 0
      ? until('nothing to review', async () => (await window.workbench.statusBarItem(/to review/).count()) === 0)
      : window.workbench.statusBarItem(new RegExp(`^${count} changes? to review`)).waitFor();
  const prompt = async (files: Record<string, string>) => {
    await chat.send(
      writes(Object.fromEntries(Object.entries(files).map(([name, text]) => [join(folder, name), text]))),
    );
    await chat.idle();
  };
  const told = window.workbench.notification('Kept the changes in 1 file.');

  // With the next prompt: what is guarded still waits. Taken back with the mouse.
  await prompt({ 'a.txt': 'a\n', '.env': 'KEY=1\n' });
  await waiting(2);
  await chat.send('go on');
  await told.waitFor();
  await chat.idle();
  await waiting(1);
  await picture(window, 'autoKeep kept');
  await window.workbench.answerNotification('Kept the changes in 1 file.', 'Undo');
  await waiting(2);
  // The same with the keyboard.
  await chat.send('and on');
  await waiting(1);
  await chat.idle();
  await window.workbench.runCommand('Parley: Undo Last Keep');
  await waiting(2);

  // After a while: the countdown stands still under the pointer, and can be stopped.
  await workbench.changeSettings({ 'parley.review.autoKeep': 'after10Minutes' });
  const bar = chat.frame.getByRole('group', { name: 'Changes', exact: true });
  const countdown = bar.locator('.keep-countdown');
  await expect.poll(() => countdown.textContent()).toMatch(/^Auto-keep in (10|9) min/);
  await picture(window, 'autoKeep countdown');
  await bar.hover();
  await expect.poll(() => countdown.textContent()).toMatch(/^Paused/);
  await countdown.getByRole('button', { name: 'Stop the countdown' }).click();
  await expect.poll(() => countdown.count()).toBe(0);
  await page.mouse.move(5, 5);
  // With the keyboard: it begins anew for a new change, stands still while the bar has the focus, and is stopped from
  // there.
  await prompt({ 'b.txt': 'b\n' });
  await waiting(3);
  await expect.poll(() => countdown.textContent()).toMatch(/^Auto-keep in/);
  const stop = countdown.getByRole('button', { name: 'Stop the countdown' });
  await chat.box.focus();
  await walkTo(window, 'Shift+Tab', stop);
  await expect.poll(() => countdown.textContent()).toMatch(/^Paused/);
  await picture(window, 'autoKeep paused');
  await page.keyboard.press('Enter');
  await expect.poll(() => countdown.count()).toBe(0);
  await waiting(3);

  // With a commit, of what it holds: not of what is guarded.
  await workbench.changeSettings({ 'parley.review.autoKeep': 'onCommit' });
  await prompt({ 'd.txt': 'd\n' });
  await waiting(4);
  // Git counts in seconds, and what is committed within one of the turn's end may be the agent's.
  const ended = Date.now();
  await until('a later second', async () => Math.floor(Date.now() / 1_000) * 1_000 > ended + 1_000);
  git('add', 'a.txt', 'd.txt', '.env');
  git('commit', '-q', '-m', 'second');
  await waiting(2);
  await bar.getByRole('button', { name: /2 files/ }).click();
  await expect
    .poll(() => chat.frame.getByRole('list', { name: 'Changed files' }).getByRole('listitem').allInnerTexts())
    .toHaveLength(2);
  // The story after this one begins with nothing to review, and no command for all keeps a protected file.
  await chat.button('Keep .env').click();
  await waiting(1);
  agent.check();
});
