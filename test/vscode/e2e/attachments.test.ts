import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { test } from './harness';
import { picture } from './underReview';

/* What goes with a message besides its words. */

const newLog = () => join(mkdtempSync(join(tmpdir(), 'parley-wire-')), 'wire.ndjson');
const promptOf = (agent: FakeAgent, index: number) =>
  (agent.received('session/prompt')[index]?.['params'] as { prompt: ContentBlock[] } | undefined)?.prompt;

/** Pastes a drawing into the message box, 300 pixels wide or more. */
async function pasteImage(frame: Frame, scale = 1): Promise<void> {
  await frame.evaluate(async (factor) => {
    const canvas = new OffscreenCanvas(300 * factor, 200 * factor);
    const context = canvas.getContext('2d')!;
    context.scale(factor, factor);
    context.fillStyle = 'teal';
    context.fillRect(40, 40, 220, 120);
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([await canvas.convertToBlob()], 'image.png', { type: 'image/png' }));
    document
      .querySelector('textarea')!
      .dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
  }, scale);
}

test('item 75: a pasted image and a selection outlive a reload, reach the agent as blocks, and are sent again by Retry', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newLog());
  const window = await openWindow({ settings: { ...agent.settings, 'files.autoSave': 'off' } });
  const { workbench } = window;
  const { keyboard } = workbench.page;
  await workbench.openFile('tokenizer.ts');
  await workbench.page.locator('.editor-instance .view-lines').click();
  await keyboard.press('Control+Home');
  await keyboard.type('// only in the buffer\n');
  await keyboard.press('Control+Home');
  await keyboard.press('Shift+ArrowDown');
  await keyboard.press('Control+Alt+Shift+P');
  let chat = new Chat(await workbench.chat());
  await chat.button('Open tokenizer.ts:1').waitFor();
  await expect.poll(() => chat.box.evaluate((e) => e === document.activeElement)).toBe(true);
  await pasteImage(chat.frame);
  await chat.button('Open Pasted image').waitFor();
  await workbench.reload();
  chat = new Chat(await window.openChat());
  await chat.button('Open tokenizer.ts:1').waitFor();
  await expect
    .poll(() =>
      chat
        .button('Open Pasted image')
        .locator('img')
        .evaluate((e) => (e as HTMLImageElement).naturalWidth),
    )
    .toBe(300);
  await chat.box.fill('%%ERROR -32603 not now');
  await chat.box.press('Enter');
  await chat.button('Retry').first().waitFor();
  expect(promptOf(agent, 0)).toEqual([
    { type: 'text', text: '%%ERROR -32603 not now' },
    {
      type: 'resource',
      resource: {
        uri: expect.stringMatching(/^file:.*\/tokenizer\.ts#L1$/),
        text: '// only in the buffer\n',
        mimeType: 'text/plain',
      },
    },
    { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) },
  ]);
  // What was sent is seen above, small, and gone from the box.
  await expect
    .poll(() =>
      chat.log.getByRole('img', { name: 'Pasted image' }).evaluate((e) => (e as HTMLImageElement).naturalWidth),
    )
    .toBe(300);
  await expect.poll(() => chat.button('Open Pasted image').count()).toBe(0);
  await chat.log.getByRole('img', { name: 'Pasted image' }).click();
  await workbench.page.getByRole('tab', { name: /Pasted image/ }).waitFor();
  await chat.button('Retry').first().click();
  await expect.poll(() => promptOf(agent, 1)).toEqual(promptOf(agent, 0));
  agent.check();
});

test('item 75: an agent that turns out to take no images gets the rest, the thread says so, and the next image is refused', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newLog(), { initializePatch: { agentCapabilities: { promptCapabilities: {} } } });
  const window = await openWindow({ settings: agent.settings, fresh: true });
  const chat = new Chat(await window.openChat());
  await pasteImage(chat.frame);
  await chat.button('Open Pasted image').waitFor();
  await chat.box.press('Enter');
  await chat.sees('Not sent: Pasted image');
  await chat.idle();
  expect(agent.received('session/prompt')).toEqual([]);
  await pasteImage(chat.frame);
  await expect
    .poll(() => chat.frame.getByText(/^Fake does not support images\. Save the image as a file/).count())
    .toBe(2);
  await chat.send('%%SAY text alone');
  await chat.sees('text alone');
  // The words stand in the question too, before the agent has it.
  await expect.poll(() => promptOf(agent, 0)).toEqual([{ type: 'text', text: '%%SAY text alone' }]);
  await chat.idle();
  agent.check();
});

test('item 75: Enter at once takes along the image that was just pasted, and the file that is still looked for', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newLog());
  const window = await openWindow({ settings: agent.settings });
  const { keyboard } = window.workbench.page;
  const chat = new Chat(await window.openChat());
  await chat.box.fill('what is this');
  await pasteImage(chat.frame, 12);
  await chat.box.press('Enter');
  await picture(window, 'image on its way');
  await until('the prompt', () => promptOf(agent, 0));
  expect(promptOf(agent, 0)?.map(({ type }) => type)).toEqual(['text', 'image']);
  await chat.idle();
  await keyboard.type('see @tokenizer.t');
  await keyboard.press('Enter');
  await expect.poll(() => chat.box.inputValue()).toMatch(/^see @.*tokenizer\.ts $/);
  await picture(window, 'file named at once');
  await keyboard.press('Enter');
  await until('the second prompt', () => promptOf(agent, 1));
  expect(promptOf(agent, 1)?.map(({ type }) => type)).toEqual(['text', 'resource']);
  agent.check();
});

test('the file in front, and what is selected in it, are added with one click', async ({ openWindow }) => {
  const agent = new FakeAgent(newLog());
  const window = await openWindow({ settings: agent.settings });
  const { workbench } = window;
  const chat = new Chat(await window.openChat());
  // A file of its own: VS Code brings back what another test has selected, and that a moment after it has the focus.
  await workbench.openFile('evaluate.ts');
  await chat.button('Add src/evaluate.ts to the message').click();
  await chat.button('Open evaluate.ts').waitFor();
  await workbench.openFile('evaluate.ts');
  await workbench.page.keyboard.press('Control+Home');
  for (let i = 0; i < 3; i++) await workbench.page.keyboard.press('Shift+ArrowDown');
  await chat.button('Add src/evaluate.ts:1-3 to the message').click();
  await chat.button('Open evaluate.ts:1-3').waitFor();
  await chat.focused();
});

test('context is added from the menu with the keyboard alone', async ({ openWindow }) => {
  const agent = new FakeAgent(newLog());
  const window = await openWindow({ settings: agent.settings });
  const { workbench } = window;
  await workbench.openFile('tokenizer.ts');
  await workbench.page.keyboard.press('Control+Home');
  const chat = new Chat(await window.openChat());
  await chat.button('Add context').focus();
  await workbench.page.keyboard.press('Enter');
  await workbench.quickInputRows('Selection').waitFor();
  await workbench.quickInput.fill('Sel');
  await workbench.page.keyboard.press('Enter');
  await chat.button(/^Open tokenizer\.ts:\d+$/).waitFor();
  await chat.focused();
  await workbench.page.keyboard.type('see @chan');
  await chat.frame.getByRole('option', { name: /@changes/ }).waitFor();
  await workbench.page.keyboard.press('Enter');
  await chat.frame
    .getByText(/Git|repository|changes since/)
    .first()
    .waitFor();
  await expect.poll(() => chat.box.inputValue()).toBe('see ');
});
