import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { screenshots, test } from './harness';

/* What goes with a message besides its words. */

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
  const agent = new FakeAgent(newWireLog());
  const window = await openWindow({ settings: { ...agent.settings }, fresh: true });
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

test('the file in front, and what is selected in it, are added with one click', async ({ openWindow }) => {
  const agent = new FakeAgent(newWireLog());
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

test('the active file goes with each message as its chip shows, until the user removes it', async ({ openWindow }) => {
  const agent = new FakeAgent(newWireLog());
  const window = await openWindow({ settings: agent.settings });
  const { workbench, folder } = window;
  writeFileSync(join(folder, '.env'), 'TOKEN=1\n');
  const chat = new Chat(await window.openChat());
  const followed = (what: string) =>
    chat.frame.getByRole('group', { name: `The active file goes with each message: ${what}`, exact: true });
  const sent = async (text: string) => {
    const before = agent.received('session/prompt').length;
    await chat.send(text);
    await chat.idle();
    return promptOf(agent, before)!;
  };
  const resource = (uri: RegExp) => ({
    type: 'resource',
    resource: expect.objectContaining({ uri: expect.stringMatching(uri) as string }) as unknown,
  });
  await workbench.openFile('parser.ts');
  await workbench.page.keyboard.press('Control+Home');
  await chat.button('Add src/parser.ts to the message').waitFor();
  // It is only offered until the user wants it.
  expect(await sent('one')).toEqual([{ type: 'text', text: 'one' }]);
  await chat.button('Add the active file to each message').click();
  await followed('src/parser.ts').waitFor();
  expect(await sent('two')).toEqual([{ type: 'text', text: 'two' }, resource(/\/parser\.ts$/)]);
  await workbench.openFile('parser.ts');
  await workbench.page.keyboard.press('Control+Home');
  for (let i = 0; i < 2; i++) await workbench.page.keyboard.press('Shift+ArrowDown');
  await followed('src/parser.ts:1-2').waitFor();
  await workbench.screenshot(join(screenshots, 'current-file-followed.png'));
  expect(await sent('three')).toEqual([{ type: 'text', text: 'three' }, resource(/\/parser\.ts#L1-L2$/)]);
  // A protected file never goes along.
  await workbench.openFile('.env');
  await expect.poll(() => chat.frame.locator('.chip.current').count()).toBe(0);
  expect(await sent('four')).toEqual([{ type: 'text', text: 'four' }]);
  await workbench.openFile('parser.ts');
  await chat.button('Stop adding the active file').click();
  await chat.button(/^Add src\/parser\.ts/).waitFor();
  expect(await sent('five')).toEqual([{ type: 'text', text: 'five' }]);
  agent.check();
});

test('context is added from the menu with the keyboard alone', async ({ openWindow }) => {
  const agent = new FakeAgent(newWireLog());
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
