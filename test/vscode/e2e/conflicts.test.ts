import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { test, type Window } from './harness';
import { clickLens, lens, picture, scriptedAgent, toChange, toTop, writes } from './underReview';

/*
 * What the agent and the user have both edited: nothing is overwritten, and the user chooses, with the mouse and with
 * the keyboard.
 */

const numbered = (changed: Record<number, string> = {}) =>
  Array.from({ length: 30 }, (_, i) => `${changed[i] ?? `line ${i}`}\n`).join('');
const agents = { 3: 'three', 9: 'nine', 15: 'fifteen', 21: 'twenty-one', 27: 'twenty-seven' };

test('a change that the user has edited waits for a choice; an undone one comes back; a created file that was edited goes after a question, and comes back', async ({
  openWindow,
}) => {
  const agent = scriptedAgent();
  const window = await openWindow({
    settings: { 'editor.quickSuggestions': { other: 'off' }, ...agent.settings },
  });
  const { workbench } = window;
  const { page } = workbench;
  const at = (name: string) => join(window.folder, name);
  const disk = (name: string) => readFileSync(at(name), 'utf8');
  const chat = new Chat(await window.openChat());
  await chat.send(writes({ [at('notes.txt')]: numbered() }));
  await chat.idle();
  await chat.button('Keep').first().click();
  await expect.poll(() => workbench.statusBarItem(/to review/).count()).toBe(0);
  await chat.send(writes({ [at('notes.txt')]: numbered(agents) }));
  await chat.idle();
  await workbench.statusBarItem(/^5 changes to review/).waitFor();
  await workbench.openFile('notes.txt');
  await toTop(window);
  // The user edits four of the five.
  for (const n of [1, 2, 3, 4]) {
    await toChange(window, new RegExp(`^Change ${n} of 5 to review`));
    await page.keyboard.type('my ');
  }
  await picture(window, 'conflicts edited');

  // With the mouse: by lens, and in the bar.
  await clickLens(window, /Undo$/);
  await lens(window, /Show both/).click();
  const both = page.getByRole('tab', { name: /the agent’s ↔ yours/ });
  await both.waitFor();
  await picture(window, 'conflicts both');
  await workbench.runCommand('View: Close Editor');
  await expect.poll(() => both.count()).toBe(0);
  await picture(window, 'conflicts lenses');
  await lens(window, /Keep agent’s version/).click();
  await expect.poll(() => lineOf(window, 'three')).toBe(1);
  await workbench.statusBarItem(/4 changes to review|of 4 to review/).waitFor();
  await clickLens(window, /Undo$/);
  await chat.button(/^1 file/).click();
  await chat.button('Keep mine: notes.txt').waitFor();
  await picture(window, 'conflicts bar');
  await chat.button('Keep mine: notes.txt').click();
  await workbench.statusBarItem(/3 changes to review|of 3 to review/).waitFor();
  expect(await lineOf(window, 'my nine')).toBe(1);
  await chat.frame.getByText('Edited changes will be sent with your next message').waitFor();

  // With the keyboard: by command, and Alt+Enter, which agrees to what stands there.
  await toTop(window);
  await toChange(window, /^Change 1 of 3 to review/);
  await page.keyboard.press('Alt+Backspace');
  await lens(window, /You and the agent edited this/).waitFor();
  await workbench.runCommand('Parley: Undo Both');
  await expect.poll(() => lineOf(window, 'line 15')).toBe(1);
  await workbench.statusBarItem(/^Change 1 of 2 to review/).waitFor();
  await page.keyboard.press('Alt+Backspace');
  await lens(window, /You and the agent edited this/).waitFor();
  await page.keyboard.press('Alt+Enter');
  await workbench.statusBarItem(/^Change 1 of 1 to review/).waitFor();
  expect(await lineOf(window, 'my twenty-one')).toBe(1);
  // Undo of an Undo, when nothing waits any more: all that was undone in the file comes back, what the user wrote in it
  // too.
  await page.keyboard.press('Alt+Backspace');
  await expect.poll(() => workbench.statusBarItem(/to review/).count()).toBe(0);
  await expect.poll(() => lineOf(window, 'line 27')).toBe(1);
  // A key too many types nothing into the file.
  await page.keyboard.press('Alt+Enter');
  await page.keyboard.press('Alt+Backspace');
  await page.keyboard.press('Shift+Alt+Enter');
  await expect.poll(() => lineOf(window, 'line 27')).toBe(1);
  expect(await page.locator('.editor-instance .view-line').count()).toBe(31);
  await workbench.runCommand('Parley: Restore Undone Changes');
  await expect.poll(() => lineOf(window, 'twenty-seven')).toBe(1);
  await expect.poll(() => lineOf(window, 'my fifteen')).toBe(1);
  await workbench.statusBarItem(/of 2 to review/).waitFor();
  await workbench.runCommand('Parley: Keep All Changes in File');
  await expect.poll(() => workbench.statusBarItem(/to review/).count()).toBe(0);
  await page.keyboard.press('Control+S');
  await until('the file on disk', () => disk('notes.txt').includes('my nine'));

  // The agent is told with the next prompt what was edited.
  await chat.frame.getByText('Edited changes will be sent with your next message').waitFor();
  await picture(window, 'conflicts told');

  // A created file that was edited since: Undo asks.
  await chat.send(writes({ [at('fresh.txt')]: 'fresh\n' }));
  await chat.idle();
  await until('the edits at the agent', () => {
    const told = JSON.stringify(agent.received('session/prompt').at(-1));
    return ['I kept these changes of yours, edited by me', 'my nine', 'my fifteen', 'my twenty-one'].every((part) =>
      told.includes(part),
    );
  });
  await workbench.openFile('fresh.txt');
  await toTop(window);
  await page.keyboard.type('mine\n');
  await page.keyboard.press('Control+S');
  await until('the edit on disk', () => disk('fresh.txt') === 'mine\nfresh\n');
  const question = workbench.dialog('You have edited fresh.txt since the agent created it. Delete it?');
  await chat.button('Undo fresh.txt').click();
  await question.waitFor();
  await picture(window, 'conflicts created');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => question.count()).toBe(0);
  expect(disk('fresh.txt')).toBe('mine\nfresh\n');
  await workbench.runCommand('Parley: Undo All Changes in File');
  // VS Code may give the focus back to where it was before the list of commands when the dialog is there already.
  await question.getByRole('button', { name: 'Delete' }).press('Enter');
  await until('the file to be gone', () => !existsSync(at('fresh.txt')));
  await workbench.runCommand('Parley: Restore Checkpoint…');
  await workbench.quickInputRows('Before an undo').first().waitFor();
  await page.keyboard.type('Before an undo');
  await page.keyboard.press('Enter');
  await expect.poll(() => workbench.quickInputRows('fresh.txt').count()).toBe(1);
  await picture(window, 'conflicts restore');
  await page.keyboard.press('Enter');
  await until(
    'the file with what the user wrote in it',
    () => existsSync(at('fresh.txt')) && disk('fresh.txt') === 'mine\nfresh\n',
  );
  agent.check();
});

/** How many lines of the editor in front read like this. */
function lineOf(window: Window, text: string): Promise<number> {
  return window.workbench.page
    .locator('.editor-instance .view-line')
    .filter({ hasText: new RegExp(`^${text.replaceAll(' ', '\\s')}$`) })
    .count();
}
