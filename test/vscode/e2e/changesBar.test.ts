import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { test } from './harness';
import { picture, pressOn, scriptedAgent } from './underReview';

/*
 * What the panel leads to: the bar over the message box, the links of tool cards, all at once in one editor, and by
 * rounds; with the mouse and with the keyboard.
 */

test('a card and the bar lead to what an agent changed on disk, all at once and by rounds; Keep and Undo from there', async ({
  openWindow,
}) => {
  const agent = scriptedAgent();
  const window = await openWindow({ settings: { ...agent.settings } });
  const { workbench } = window;
  const { page } = workbench;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: window.folder,
      stdio: 'ignore',
    });
  const at = (name: string) => join(window.folder, name);
  const disk = (name: string) => readFileSync(at(name), 'utf8');
  for (const [name, text] of Object.entries({
    'notes.txt': 'one\ntwo\nthree\n',
    'a b.txt': 'alpha\nbeta\n',
    'old.txt': 'stays the same\n',
    '.gitignore': 'node_modules/\n',
  }))
    writeFileSync(at(name), text);
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  const chat = new Chat(await window.openChat());
  const press = (key: 'Tab' | 'Shift+Tab', target: Locator) => pressOn(window, key, target);
  /** Which of these files one editor shows below each other. */
  const inDiff = async () => {
    const text = (await page.locator('.multiDiffEntry').allInnerTexts()).join('\n');
    return ['a b.txt', 'made.txt', 'new.txt', 'notes.txt'].filter((name) => text.includes(name));
  };
  const closeAll = async () => {
    await workbench.runCommand('View: Close All Editors');
    await expect.poll(() => page.locator('.editor-group-container .tab').count()).toBe(0);
  };
  const list = chat.frame.getByRole('list', { name: 'Changed files' });
  const waiting = (count: number) =>
    until(`${count} files to review`, async () => (await list.getByRole('listitem').count()) === count);

  // The first round: the agent's own edit. Its card leads to it, and so does the bar; Keep ends the round.
  await chat.send(`@@DISKEDIT ${at('notes.txt')} | two | TWO`);
  await chat.idle();
  await waiting(1);
  const link = chat.frame.getByRole('button', { name: '1 to review' });
  await picture(window, 'bar card');
  await link.click();
  await workbench.statusBarItem(/^Change 1 of 1 to review/).waitFor();
  await workbench.runCommand('View: Close Editor');
  await workbench.statusBarItem(/^1 change to review/).waitFor();
  await chat.box.focus();
  await press('Shift+Tab', link);
  await workbench.statusBarItem(/^Change 1 of 1 to review/).waitFor();
  await chat.button('Keep').click();
  await waiting(0);
  await expect.poll(() => chat.frame.getByText('Kept', { exact: true }).count()).toBeGreaterThan(0);

  // The second: a command. Since the last review there are its files, since the session began all.
  await chat.send(
    `@@SHELL cd '${window.folder}' && sed -i s/beta/BETA/ 'a b.txt' && git mv old.txt new.txt && echo made > made.txt`,
  );
  await chat.idle();
  await waiting(3);
  await chat.button('Review').click();
  await page.getByRole('tab', { name: /^Agent changes/ }).waitFor();
  await expect.poll(inDiff).toEqual(['a b.txt', 'made.txt', 'new.txt']);
  await picture(window, 'bar all at once');
  await closeAll();
  await chat.box.focus();
  await press('Shift+Tab', chat.button('Review'));
  await page.getByRole('tab', { name: /^Agent changes/ }).waitFor();
  await closeAll();
  await workbench.runCommand('Parley: Show Changes Since My Last Review');
  await page.getByRole('tab', { name: /^Changes since my last review/ }).waitFor();
  await expect.poll(inDiff).toEqual(['a b.txt', 'made.txt', 'new.txt']);
  await closeAll();
  await workbench.runCommand('Parley: Focus on Agent Changes View');
  await page.locator('.pane-header').filter({ hasText: 'Agent Changes' }).hover();
  await page
    .locator('.pane', { has: page.locator('.pane-header').filter({ hasText: 'Agent Changes' }) })
    .getByRole('button', { name: /More Actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Show Changes Since My Last Review' }).waitFor();
  await picture(window, 'bar menu');
  await workbench.chooseMenuItem('Show Changes Since the Session Began');
  await page.getByRole('tab', { name: /^Changes since the session began \(2 prompts\)/ }).waitFor();
  await expect.poll(inDiff).toEqual(['a b.txt', 'made.txt', 'new.txt', 'notes.txt']);
  await picture(window, 'bar session');

  // With the keyboard: the list opens, one file is kept, the others are undone, the last with all that is left.
  // The editor takes the focus when it has loaded.
  await until('the focus in the changes', () =>
    page.evaluate(() => document.activeElement?.closest('.multiDiffEditor') != null),
  );
  await chat.box.focus();
  await press('Shift+Tab', chat.button(/^3 files/));
  await press('Tab', chat.button('Keep made.txt'));
  await waiting(2);
  // The focus stays in the list, on what has come to the place of the file that is gone.
  await expect.poll(() => list.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(true);
  await press('Shift+Tab', chat.button('Undo a b.txt'));
  await until('the text as it was', () => disk('a b.txt') === 'alpha\nbeta\n');
  await waiting(1);
  await chat.box.focus();
  await press('Shift+Tab', chat.button('Undo'));
  await workbench.dialog('Undo this session’s changes').getByRole('button', { name: 'Undo All' }).click();
  await until('the file at its old place', () => existsSync(at('old.txt')) && !existsSync(at('new.txt')));
  await waiting(0);
  expect([disk('notes.txt'), disk('made.txt')]).toEqual(['one\nTWO\nthree\n', 'made\n']);
  agent.check();
});
