import { expect } from 'vitest';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test } from './harness';
import { picture } from './underReview';

test('a failed start leads to the check, which says at which step it fails and can be copied', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog(), {
    dieAtInitialize: { code: 1, stderr: 'Error: not logged in, run login first\n' },
  });
  const window = await openWindow({ settings: agent.settings });
  const { workbench } = window;
  await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const chat = new Chat(await window.openChat());
  await chat.send('hello');
  await chat.button('Check Agent').first().waitFor();
  await picture(window, 'failed start');
  await chat.button('Check Agent').first().click();
  await workbench
    .quickInputRows(/not logged in/)
    .first()
    .waitFor();
  await picture(window, 'check failed');
  await workbench.pick(/Copy Report/);
  await expect.poll(() => workbench.page.evaluate(() => navigator.clipboard.readText())).toContain('not logged in');
  await workbench.page.keyboard.press('Escape');
  await workbench.quickInput.waitFor({ state: 'hidden' });

  await workbench.changeSettings(new FakeAgent(newWireLog()).settings);
  await workbench.runCommand('Parley: Check Agent…');
  // The agent of the shown session comes first.
  await expect.poll(() => workbench.quickInputRows().first().innerText()).toContain('Fake');
  await workbench.page.keyboard.press('Enter');
  await workbench.quickInputRows(/Send a Test Prompt/).waitFor();
  await picture(window, 'check passed');
});
