import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { test } from './harness';
import { decideTop, demoEdits, hex, lens, percent, toChange, toTop } from './underReview';

/* The review of single hunks in the real editor, once with the mouse and once with the keyboard. */

test('with the mouse: the counter leads to a change, its lenses keep or undo it, Ctrl+Z brings it back', async ({
  openWindow,
}) => {
  const window = await openWindow({ fresh: true });
  const { disk } = await demoEdits(window);
  const { page } = window.workbench;
  const isOneDecided = async () =>
    (await window.workbench.statusBarItem(/3 changes? to review|of 3 to review/).count()) > 0;
  await window.workbench.statusBarItem(/^4 changes to review/).click();
  await window.workbench.statusBarItem(/^Change 1 of 4 to review/).waitFor();
  await expect.poll(() => lens(window, /Keep/).count()).toBe(2);
  await decideTop(window, /Undo/, 2, isOneDecided);
  await until(
    'the first change to be gone',
    () => !hex.test(disk('tokenizer.ts')) && percent.test(disk('tokenizer.ts')),
  );
  await page.locator('.editor-instance .view-lines').first().click();
  await page.keyboard.press('Control+Z');
  await window.workbench.statusBarItem(/4 changes to review|of 4 to review/).waitFor();
  await page.keyboard.press('Control+S');
  await until('the first change to be back', () => hex.test(disk('tokenizer.ts')));
  await decideTop(window, /Keep/, 2, isOneDecided);
  await expect.poll(() => lens(window, /Keep/).count()).toBe(1);
  expect(hex.test(disk('tokenizer.ts'))).toBe(true);
  await decideTop(window, /Keep/, 1, async () => (await lens(window, /Keep/).count()) === 0);
});

test('with the keyboard: F7 leads through all files, Alt+Enter keeps, Alt+Backspace undoes', async ({ openWindow }) => {
  const window = await openWindow({ fresh: true });
  const { disk, before } = await demoEdits(window);
  const { page } = window.workbench;
  const counter = (name: RegExp) => window.workbench.statusBarItem(name).waitFor();
  await window.workbench.openFile('tokenizer.ts');
  await toTop(window);
  await toChange(window, /^Change 1 of 4 to review/);
  await toChange(window, /^Change 2 of 4 to review/);
  await page.keyboard.press('Shift+F7');
  await counter(/^Change 1 of 4 to review/);
  // Keep leads on to the next one in the file.
  await page.keyboard.press('Alt+Enter');
  await counter(/^Change 1 of 3 to review/);
  await page.keyboard.press('Alt+Backspace');
  await until(
    'the second change to be gone',
    () => hex.test(disk('tokenizer.ts')) && !percent.test(disk('tokenizer.ts')),
  );
  await counter(/^2 changes to review/);
  // This file is done; the keys lead on from it.
  await toChange(window, /^Change 1 of 2 to review/);
  await page.keyboard.press('Alt+Backspace');
  await counter(/^1 change to review/);
  await toChange(window, /^Change 1 of 1 to review/);
  await page.keyboard.press('Alt+Backspace');
  await until(
    'the other files as they were',
    () => disk('parser.ts') === before['parser.ts'] && disk('evaluate.ts') === before['evaluate.ts'],
  );
  await expect.poll(() => window.workbench.statusBarItem(/to review/).count()).toBe(0);
  await expect.poll(() => lens(window, /Keep/).count()).toBe(0);
});
