import { expect } from 'vitest';
import { test } from './harness';

test('the chat panel opens with a message box', async ({ openWindow }) => {
  const window = await openWindow();
  const chat = await window.openChat();
  const message = chat.getByRole('textbox', { name: 'Message' });
  await message.fill('hello');
  await expect.poll(() => message.isVisible()).toBe(true);
});
