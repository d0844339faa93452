import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Workbench } from '../../launch/workbench.mjs';
import { Chat } from './chat';
import { test } from './harness';
import { scriptedAgent, writes } from './underReview';

test('the changes of both windows on one folder are pending once one is closed, and Undo finds the originals', async ({
  openWindow,
}) => {
  const agent = scriptedAgent();
  const { workbench: first, context, server, folder } = await openWindow({ settings: agent.settings, own: true });
  const at = (name: string) => join(folder, name);
  for (const name of ['one.txt', 'two.txt']) writeFileSync(at(name), `${name}\n`);
  const change = async (workbench: Workbench, name: string): Promise<void> => {
    await workbench.page.bringToFront();
    const chat = new Chat(await workbench.openChat());
    await chat.send(writes({ [at(name)]: 'CHANGED\n' }));
    await chat.idle();
    await workbench.statusBarItem(/^1 change to review/).waitFor();
  };
  const second = await Workbench.open(context, server, { folder });
  await change(first, 'one.txt');
  await change(second, 'two.txt');

  // VS Code keeps the lock of a window's storage for as long as its extension host lives.
  const storage = join(server.dataDir, 'data/User/workspaceStorage');
  await second.page.close({ runBeforeUnload: true });
  await until(
    'the second window to have ended',
    () => readdirSync(storage).filter((name) => existsSync(join(storage, name, 'vscode.lock'))).length === 1,
  );
  await first.page.bringToFront();
  await first.reload();
  await first.statusBarItem(/^2 changes to review/).waitFor();
  expect(readdirSync(storage).filter((name) => existsSync(join(storage, name, 'parley.parley')))).toHaveLength(1);
  await first.runCommand('Parley: Undo All Changes');
  await first.page.locator('.monaco-dialog-box').getByRole('button', { name: /^Undo/ }).click();
  await until('the files as they were', () =>
    ['one.txt', 'two.txt'].every((name) => readFileSync(at(name), 'utf8') === `${name}\n`),
  );
  const chat = new Chat(await first.openChat());
  await first.runCommand('Parley: Show Sessions');
  const rows = chat.frame.getByRole('grid', { name: 'Sessions' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(2);
});
