import { expect } from 'vitest';
import { Chat } from './chat';
import { test } from './harness';
import { picture } from './underReview';

test('an answer is copied as Markdown from its context menu, and what is typed on the conversation goes to the box, and Find marks words', async ({
  openWindow,
}) => {
  const window = await openWindow();
  const { page } = window.workbench;
  await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const chat = new Chat(await window.openChat());
  await chat.send('/markdown');
  await chat.idle();
  const heading = chat.log.getByRole('heading').last();
  await heading.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy Answer as Markdown' }).waitFor();
  await picture(window, 'conversation menu');
  await window.workbench.chooseMenuItem('Copy Answer as Markdown');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/^#+ An image$/m);
  expect(await copied()).toContain('```');
  await heading.click();
  await page.keyboard.press('ControlOrMeta+a');
  await expect.poll(() => chat.frame.evaluate(() => getSelection()!.toString())).toContain('An image');
  expect(await chat.frame.evaluate(() => getSelection()!.toString())).not.toContain('Ask first');
  await page.keyboard.type('And now');
  await expect.poll(() => chat.box.inputValue()).toBe('And now');
  const hasFocus = () => chat.log.evaluate((e) => e === document.activeElement);
  await page.keyboard.press('ControlOrMeta+ArrowUp');
  await expect.poll(hasFocus).toBe(true);
  await page.keyboard.press('ControlOrMeta+ArrowDown');
  await expect.poll(hasFocus).toBe(false);
  await page.keyboard.press('ControlOrMeta+ArrowUp');
  await page.keyboard.press('ControlOrMeta+f');
  const find = chat.frame.getByRole('search', { name: 'Find in the conversation' });
  await find.getByRole('textbox', { name: 'Find' }).fill('an image');
  await expect.poll(() => find.getByRole('status').innerText()).toMatch(/^\d+ of \d+$/);
  await expect
    .poll(() => chat.frame.evaluate(() => [...(CSS.highlights.get('parley-find-current') ?? [])].map(String)))
    .toEqual(['An image']);
  await picture(window, 'find in the conversation');
  await page.keyboard.press('Escape');
  await find.waitFor({ state: 'hidden' });
  await expect.poll(hasFocus).toBe(true);
  await window.workbench.runCommand('Parley: Find in Conversation');
  await expect.poll(() => find.getByRole('textbox').evaluate((e) => e === document.activeElement)).toBe(true);
});
