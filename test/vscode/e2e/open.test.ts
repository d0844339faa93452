import { expect } from 'vitest';
import { test } from './harness';
import { picture } from './underReview';

test('the chat panel opens with a message box, and speaks the display language of VS Code', async ({ openWindow }) => {
  const window = await openWindow({ own: true });
  const { workbench } = window;
  const chat = await window.openChat();
  await chat.getByRole('textbox', { name: 'Message' }).waitFor();

  // What a language pack does to the workbench in a browser.
  await workbench.page.addInitScript(() => void Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: 'zh-cn' }));
  await workbench.reload();
  // The title of the manifest, and below it the English one.
  await workbench.runCommand('Parley: 打开聊天');
  const translated = await workbench.chat({ selector: 'role=textbox[name="消息"]' });
  await translated.getByRole('button', { name: /^智能体：/ }).waitFor();
  expect(await translated.locator('html').getAttribute('lang')).toBe('zh-cn');
  await workbench.statusBarItem(/Parley/).hover();
  await picture(window, 'chinese');
});
