import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { test, type Window } from './harness';
import { picture } from './underReview';

/* Sessions in editor tabs, beside the one in the side bar. */

/**
 * The inner frame of the panel in an editor tab, or in the side bar, once its box is there.
 * @param other a panel that it is not
 */
async function frameIn(place: 'editor' | 'side bar', page: Page, text: string, other?: Chat): Promise<Frame> {
  return until(`the panel in the ${place}`, async () => {
    for (const frame of page.frames()) {
      const outer = frame.parentFrame()?.url().toLowerCase() ?? '';
      if (
        !outer.includes('extensionid=parley.parley') ||
        outer.includes('purpose=webviewview') !== (place === 'side bar') ||
        frame.isDetached() ||
        frame === other?.frame
      )
        continue;
      // VS Code makes the frame anew when the tab moves: the one that shows the conversation is the one that stays.
      const shows = async () =>
        (await frame.getByRole('textbox', { name: 'Message' }).isVisible()) &&
        (await frame.getByRole('log').innerText()).includes(text);
      if (await shows().catch(() => false)) return frame;
    }
    return undefined;
  });
}

async function tabChat(window: Window, text: string, other?: Chat): Promise<Chat> {
  return new Chat(await frameIn('editor', window.workbench.page, text, other));
}

test('a session moves into a tab with its draft, works there beside the side bar’s, and comes back after a reload', async ({
  openWindow,
}) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const { workbench } = window;
  const { page } = workbench;
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY the first answer');
  await chat.sees('the first answer');
  await chat.idle();
  await chat.box.fill('half a thought');
  await workbench.palette('Parley: Open Session in Editor');
  const tab = await tabChat(window, 'the first answer', chat);
  await tab.sees('the first answer');
  await tab.focused();
  await expect.poll(() => tab.box.inputValue()).toBe('half a thought');
  await expect.poll(() => chat.box.inputValue()).toBe('');
  await expect.poll(() => chat.text()).not.toContain('the first answer');
  await page.locator('.tab.active', { hasText: 'the first answer' }).waitFor();
  await picture(window, 'editor tab');

  // A request waits in each; a key answers the one of the view with the focus.
  await chat.send('%%PERMISSION The side bar asks');
  await chat.permission('The side bar asks').waitFor();
  await tab.send('%%PERMISSION The tab asks\n%%SAY the tab goes on');
  await tab.permission('The tab asks').waitFor();
  await picture(window, 'editor tab asks');
  await tab.ready(tab.permission('The tab asks'));
  await tab.box.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('a');
  await tab.sees('the tab goes on');
  await tab.idle();
  await chat.permission('The side bar asks').waitFor();
  expect(agent.received('session/new')).toHaveLength(2);

  // An action in the side bar's title is about the side bar.
  await tab.box.focus();
  await page.locator('.part.auxiliarybar, .part.sidebar').getByRole('button', { name: 'New Session' }).click();
  await expect.poll(() => chat.text()).not.toContain('The side bar asks');
  await chat.focused();
  await tab.sees('the first answer');

  await tab.box.fill('to be kept');
  await window.keeps('to be kept');
  await workbench.reloadByCommand();
  const back = await tabChat(window, 'the first answer');
  await back.sees('the first answer');
  await expect.poll(() => back.box.inputValue()).toBe('to be kept');

  // Closing the tab ends nothing.
  await workbench.runCommand('View: Close All Editors');
  await page.locator('.editor-group-container .tab').first().waitFor({ state: 'detached' });
  const again = new Chat(await window.openChat());
  await workbench.runCommand('Parley: Show Sessions');
  await again.frame
    .getByRole('grid', { name: 'Sessions' })
    .getByRole('row')
    .filter({ hasText: 'the first answer' })
    .first()
    .click();
  await again.sees('the tab goes on');
  agent.check();
});

test('a session goes to a window of its own, and the list leads there', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const { workbench } = window;
  const { page } = workbench;
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY from the side bar');
  await chat.sees('from the side bar');
  await chat.idle();
  const opened = window.context.waitForEvent('page');
  await workbench.runCommand('Parley: Open Session in New Window');
  const other = await opened;
  // As a window manager does with a new window: what is behind others Chromium does not draw.
  await other.bringToFront();
  const beside = new Chat(await frameIn('editor', other, 'from the side bar'));
  await beside.sees('from the side bar');
  await beside.send('%%SAY in its own window');
  await beside.sees('in its own window');
  await beside.idle();

  // The list leads to the tab; the tab's session is nowhere else. The palette would open in the window with the focus.
  await page.bringToFront();
  await page.locator('.part.auxiliarybar, .part.sidebar').getByRole('button', { name: 'Show Sessions' }).click();
  const rows = chat.frame.getByRole('grid', { name: 'Sessions' }).getByRole('row');
  await rows.filter({ hasText: 'from the side bar' }).first().click();
  await expect.poll(() => rows.count()).toBe(0);
  await expect.poll(() => chat.text()).not.toContain('from the side bar');
  await beside.sees('in its own window');
  expect(agent.received('session/new')).toHaveLength(1);
  agent.check();
});
