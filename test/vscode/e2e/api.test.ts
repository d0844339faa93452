import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../launch/project.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { screenshots, test } from './harness';

/* Another extension that uses the API. */

test('an extension is asked about once, talks in a session of its own, and can be shut out again', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog());
  const window = await openWindow({ settings: agent.settings, install: [root, join(root, 'test/vscode/caller')] });
  const { workbench } = window;
  const { page } = workbench;
  const dialog = page.getByRole('dialog').filter({ hasText: 'Allow the extension' });
  // Nothing happens before the user agrees.
  await workbench.palette('Parley Test: Ask an Agent');
  await dialog.waitFor();
  expect(await dialog.innerText()).toMatch(/“Test caller” \(parley-test\.caller\)/);
  await workbench.screenshot(join(screenshots, 'api-consent.png'));
  await dialog.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByText('hello caller, end_turn, text end').first().waitFor();
  expect(agent.received('session/prompt')).toHaveLength(1);
  expect(JSON.stringify(agent.received('session/prompt')[0]!['params'])).toContain('a note');
  await workbench.answerNotification('hello caller, end_turn, text end', 'Show');
  const chat = new Chat(await workbench.chat());
  await chat.log.getByText('The extension “Test caller” opened this session').waitFor();
  await workbench.screenshot(join(screenshots, 'api-session.png'));
  // Once is enough.
  await workbench.palette('Parley Test: Ask an Agent');
  await expect.poll(() => agent.received('session/prompt').length).toBe(2);
  // The user takes it back.
  await workbench.palette('Parley: Show Permission Rules');
  await workbench.pick('Extensions that may use Parley…');
  const row = workbench.quickInputRows('parley-test.caller').first();
  await row.waitFor();
  await row.click();
  await expect.poll(() => row.getByRole('checkbox').getAttribute('aria-checked')).toBe('false');
  await workbench.screenshot(join(screenshots, 'api-revoke.png'));
  await workbench.quickInput.press('Enter');
  await row.waitFor({ state: 'hidden' });
  await workbench.palette('Parley Test: Ask an Agent');
  await page.getByText('refused: parley-test.caller may not use Parley').first().waitFor();
  expect(agent.received('session/prompt')).toHaveLength(2);
  agent.check();
});
