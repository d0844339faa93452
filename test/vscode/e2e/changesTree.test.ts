import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { test, type Window } from './harness';
import { demoEdits } from './underReview';

/* Many changes at once in the tree, once with the mouse and once with the keyboard. */

const guarded = { settings: { 'parley.review.guard': ['parser.ts'] } };

async function edited(window: Window) {
  const { page } = window.workbench;
  const tree = page.getByRole('tree', { name: 'Agent Changes' });
  return { ...(await demoEdits(window)), page, tree, row: (name: RegExp) => tree.getByRole('treeitem', { name }) };
}

/**
 * The palette gives the focus back a moment after it has closed. By the command, so that VS Code too knows which view
 * has the focus: keys depend on it.
 */
async function focusStays({ workbench }: Window, tree: Locator): Promise<void> {
  let since = Infinity;
  await until('the focus to stay in the tree', async () => {
    if (await tree.evaluate((element) => element.contains(document.activeElement))) {
      since = Math.min(since, Date.now());
      return Date.now() - since > 500;
    }
    await workbench.runCommand('Parley: Focus on Agent Changes View');
    since = Infinity;
    return false;
  });
}

test('with the mouse: the tree by turn, Undo of a turn, Keep All leaves what is guarded, Undo Last Keep', async ({
  openWindow,
}) => {
  const window = await openWindow({ ...guarded, fresh: true });
  const { disk, before, chat, page, row } = await edited(window);
  await window.workbench.runCommand('Parley: Focus on Agent Changes View');
  await row(/^tokenizer\.ts, 3 added, 1 removed/).waitFor();
  await row(/^parser\.ts.*Protected/).waitFor();
  await expect.poll(() => chat.frame.getByRole('group', { name: 'Changes in this turn' }).count()).toBe(2);
  await page.locator('.pane-header').filter({ hasText: 'Agent Changes' }).hover();
  await page.getByRole('button', { name: 'Group Changes by Turn' }).click();
  // Its tip would stand over the tree.
  await page.locator('.part.statusbar').hover();
  const turn = row(/^\/edit several/);
  await turn.hover();
  await turn.getByRole('button', { name: /^Undo/ }).click();
  await until(
    'the second turn to be gone',
    () =>
      disk('parser.ts') === before['parser.ts'] &&
      disk('evaluate.ts') === before['evaluate.ts'] &&
      disk('tokenizer.ts') !== before['tokenizer.ts'],
  );
  await expect.poll(() => row(/^\/edit several/).count()).toBe(0);
  await page.getByRole('button', { name: /^Keep All Changes/ }).click();
  await expect.poll(() => window.workbench.statusBarItem(/to review/).count()).toBe(0);
  await window.workbench.runCommand('Parley: Undo Last Keep');
  await window.workbench.statusBarItem(/^1 change to review/).waitFor();
  await window.workbench.runCommand('Parley: Group Changes by File');
});

test('with the keyboard: a hunk is opened and undone, Keep of all asks about the guarded file, which is then chosen by itself', async ({
  openWindow,
}) => {
  const window = await openWindow({ ...guarded, fresh: true });
  const { disk, before, page, tree, row } = await edited(window);
  await window.workbench.runCommand('Parley: Focus on Agent Changes View');
  await row(/^tokenizer\.ts/).waitFor();
  // The palette gives the focus back a moment after it has closed.
  await focusStays(window, tree);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => row(/^Line \d+/).count()).toBe(2);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await window.workbench.statusBarItem(/^Change 1 of 4 to review/).waitFor();
  await page.keyboard.press('Alt+Backspace');
  await window.workbench.statusBarItem(/3 changes to review|of 3 to review/).waitFor();
  await window.workbench.runCommand('Parley: Keep All Changes');
  await page.getByText('The change in src/parser.ts stays pending, because the file is protected.').first().waitFor();
  await window.workbench.statusBarItem(/1 change to review|of 1 to review/).waitFor();
  expect(disk('parser.ts')).not.toBe(before['parser.ts']);
  await expect.poll(() => row(/^(tokenizer|evaluate)\.ts/).count()).toBe(0);
  // By the command: on a slow machine the palette of the command before gives the focus back to the editor only now.
  await until('nothing to review', async () => {
    await window.workbench.runCommand('Parley: Focus on Agent Changes View');
    await focusStays(window, tree);
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Alt+Enter');
    // With the last change the view goes, too, and its command.
    return window.workbench
      .statusBarItem(/to review/)
      .waitFor({ state: 'detached', timeout: 10_000 })
      .then(
        () => true,
        () => false,
      );
  });
});
