import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import type { ExportedSession } from '../../../src/thread/exportedSession';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { test, type Window } from './harness';
import { picture } from './underReview';

/** Accepts the dialog for a file that VS Code shows in a browser. */
async function chooseFile({ workbench }: Window, file: string): Promise<void> {
  await workbench.quickInput.waitFor();
  // The dialog puts its first folder in when it has read it.
  // Then it lists the folder, and with that puts in the name that it suggests.
  await until(
    'the dialog to show a folder',
    async () =>
      (await workbench.quickInput.inputValue()).includes('/') && (await workbench.quickInputRows().count()) > 0,
  );
  await workbench.quickInput.fill(file);
  await until('the dialog to take the file', async () => (await workbench.quickInput.inputValue()) === file);
  await workbench.page
    .locator('.quick-input-widget')
    .getByRole('button', { name: /^(OK|Import)$/ })
    .click();
}

test('a session is exported and imported again, and links lead to its prompts and fill the message box', async ({
  openWindow,
}) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings, fresh: true });
  const { workbench } = window;
  const { page } = workbench;
  await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY the first answer');
  await chat.sees('the first answer');
  await chat.idle();

  await chat.log.locator('.user-message').first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy Link to Prompt' }).waitFor();
  await picture(window, 'prompt menu');
  await workbench.chooseMenuItem('Copy Link to Prompt');
  await expect.poll(copied).toMatch(/^[\w-]+:\/\/parley\.parley\/session\/[0-9a-f-]{36}\?at=e0$/);
  const link = await copied();
  await workbench.runCommand('Parley: Copy Turn as Markdown');
  await expect.poll(copied).toMatch(/^## You\n\n%%SAY the first answer\n\n## [^\n]+\n\nthe first answer\n$/);

  const file = join(window.folder, 'kept.json');
  await workbench.runCommand('Parley: Export Session…');
  await workbench.pick('JSON');
  await chooseFile(window, file);
  await until('the export', () => existsSync(file) && readFileSync(file, 'utf8').endsWith('}\n'));
  const exported = JSON.parse(readFileSync(file, 'utf8')) as ExportedSession;
  expect([exported.format, exported.version, exported.entries.map(({ type }) => type)]).toEqual([
    'parley.session',
    1,
    ['prompt', 'answer'],
  ]);

  const opened = agent.received('session/new').length;
  await workbench.runCommand('Parley: New Session');
  await chat.log.locator('.user-message').first().waitFor({ state: 'detached' });
  await until('the new session at the agent', () => agent.received('session/new').length > opened);
  const before = agent.received('session/new').length;
  await workbench.runCommand('Parley: Import Session…');
  await chooseFile(window, file);
  await chat.frame.getByRole('group', { name: 'Imported session' }).waitFor();
  await chat.sees('the first answer');
  await expect.poll(() => chat.box.isVisible()).toBe(false);
  await workbench.statusBarItem('Imported session').waitFor();
  await picture(window, 'imported session');
  expect(agent.received('session/new')).toHaveLength(before);

  await workbench.openLink(link);
  await chat.box.waitFor();
  await chat.sees('the first answer');
  await expect.poll(() => chat.frame.getByRole('group', { name: 'Imported session' }).count()).toBe(0);
  const { protocol } = new URL(link);
  await workbench.openLink(`${protocol}//parley.parley/prompt?text=${encodeURIComponent('%%SAY a & b = c#d\u202e')}`);
  await expect.poll(() => chat.box.inputValue()).toBe('%%SAY a & b = c#d⟨U+202E⟩');
  await workbench.notification('A link filled the message box').waitFor();
  await workbench.openLink(`${protocol}//parley.parley/session/1`);
  await workbench.notification('Parley cannot open this link').waitFor();
  expect([agent.received('session/prompt').length, agent.received('session/new').length]).toEqual([1, before]);
  agent.check();
});
