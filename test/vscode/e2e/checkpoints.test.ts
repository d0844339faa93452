import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { test } from './harness';
import { demoEdits, demoTexts, picture, toTop } from './underReview';

/* Going back to before a prompt, once with the mouse and once with the keyboard. */

test('with the mouse, then with the keyboard: a prompt’s files are restored, and Redo brings them back to review', async ({
  openWindow,
}) => {
  const window = await openWindow({ fresh: true });
  const { chat, before, between } = await demoEdits(window);
  const after = demoTexts(window);
  const { page } = window.workbench;
  const prompt = chat.log.locator('.user-message').first();
  await prompt.hover();
  await prompt.getByRole('button', { name: 'Restore to the checkpoint before this message' }).click();
  await window.workbench.quickInputRows('Files only').click();
  await expect.poll(() => window.workbench.quickInputRows().count()).toBe(3);
  await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
  await until('the files as they were', () => JSON.stringify(demoTexts(window)) === JSON.stringify(before));
  await prompt.getByText('Files restored to the checkpoint before this message').waitFor();
  await expect.poll(() => window.workbench.statusBarItem(/to review/).count()).toBe(0);
  // Where the user reads on, and at the changes that are gone.
  await chat.log.getByText(/^Files restored to the checkpoint before “/).waitFor();
  await chat.log.locator('.review-state', { hasText: 'Restored' }).first().waitFor({ state: 'attached' });
  await prompt.getByRole('button', { name: /^Redo/ }).click();
  await chat.log.getByText('The file restore was undone').waitFor();
  await until('what stood there', () => JSON.stringify(demoTexts(window)) === JSON.stringify(after));
  await window.workbench.statusBarItem(/4 changes to review|of 4 to review/).waitFor();
  await expect.poll(() => prompt.getByText('Files restored to the checkpoint before this message').count()).toBe(0);

  // With the keyboard: one's own edits are named, and come back with Redo.
  await window.workbench.openFile('parser.ts');
  await toTop(window);
  await page.keyboard.type('// mine\n');
  await page.keyboard.press('Control+S');
  await until('the edit on disk', () => demoTexts(window)['parser.ts']!.startsWith('// mine\n'));
  const mine = demoTexts(window);
  await window.workbench.runCommand('Parley: Restore Checkpoint…');
  await window.workbench.quickInputRows('/edit several').first().waitFor();
  await page.keyboard.press('Enter');
  await window.workbench.quickInputRows('Files only').filter({ hasText: 'You have edited parser.ts since' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => window.workbench.quickInputRows('You have edited it since').count()).toBe(1);
  await expect.poll(() => window.workbench.quickInputRows().count()).toBe(3);
  await page.keyboard.press('Enter');
  await until('the files as they were', () => JSON.stringify(demoTexts(window)) === JSON.stringify(between));
  await window.workbench.runCommand('Parley: Redo Restore');
  await until('what stood there', () => JSON.stringify(demoTexts(window)) === JSON.stringify(mine));
  await window.workbench.runCommand('Parley: Show Changes Since the Session Began');
  await page.getByRole('tab', { name: /^Changes since the session began \(2 prompts\)/ }).waitFor();
  // The editor takes the focus when it has loaded, and with it closes what was opened meanwhile.
  await until('the focus in the changes', () =>
    page.evaluate(() => document.activeElement?.closest('.multiDiffEditor') !== null),
  );

  await window.workbench.runCommand('Parley: Go to Prompt…');
  await expect.poll(() => window.workbench.quickInputRows().count()).toBe(2);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect
    .poll(() =>
      prompt.evaluate(
        (element) =>
          element.contains(document.activeElement) || element.parentElement!.contains(document.activeElement),
      ),
    )
    .toBe(true);
});

test('an earlier prompt is edited with its files restored, and Redo brings back the conversation and the files', async ({
  openWindow,
}) => {
  const window = await openWindow({ fresh: true });
  const { chat, before } = await demoEdits(window);
  const after = demoTexts(window);
  const { workbench } = window;
  const prompts = chat.log.locator('.user-message');
  const first = prompts.first();
  const words = (await first.locator('.content').innerText()).trim();
  await expect.poll(() => prompts.count()).toBe(2);
  await first.hover();
  await picture(window, 'rewind prompt');
  await chat.button('Edit this message').first().click();
  await expect.poll(() => chat.box.inputValue()).toBe(words);
  await picture(window, 'rewind edit');
  await chat.box.fill('Something else');
  await chat.frame.getByText('Editing an earlier message').waitFor();
  await chat.box.press('Enter');
  await workbench.quickInputRows('Conversation and files').filter({ hasText: 'Restores 3 files' }).waitFor();
  await picture(window, 'rewind choice');
  // Whoever leaves the list has the edited message still.
  await workbench.page.keyboard.press('Escape');
  await expect.poll(() => chat.box.inputValue()).toBe('Something else');
  await chat.frame.getByText('Editing an earlier message').waitFor();
  await chat.box.press('Enter');
  await workbench.quickInputRows('Conversation and files').click();
  await until('the files as they were', () => JSON.stringify(demoTexts(window)) === JSON.stringify(before));
  await expect.poll(() => prompts.allInnerTexts()).toEqual([expect.stringContaining('Something else')]);
  await chat.idle();
  await chat.sees('3 files were restored.');
  await picture(window, 'rewind done');
  await chat.log.getByRole('button', { name: /^Redo/ }).click();
  await workbench.dialog('Restore the earlier conversation').getByRole('button', { name: 'Redo' }).click();
  await until('what stood there', () => JSON.stringify(demoTexts(window)) === JSON.stringify(after));
  await expect.poll(() => prompts.count()).toBe(2);
  await expect.poll(() => first.innerText()).toContain(words);
  await workbench.statusBarItem(/4 changes to review|of 4 to review/).waitFor();

  // Without a change of files nothing is asked.
  await chat.send('/plan');
  await chat.idle();
  await chat.button('Retry: send the message again').last().click();
  // Its answer is short, so what stands above it is drawn.
  await chat.sees('You sent this message again');
  await chat.idle();
  await expect.poll(() => prompts.filter({ hasText: '/plan' }).count()).toBe(1);
});
