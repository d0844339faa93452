import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { test } from './harness';

/* All that Parley keeps, and the user wants gone. */

test('all data is erased after a question: the conversation, and what was pending', async ({ openWindow }) => {
  const window = await openWindow({ own: true });
  const { workbench, server } = window;
  let chat = new Chat(await window.openChat());
  await chat.send('/edit');
  await chat
    .permission(/^Permission: /)
    .first()
    .waitFor();
  await chat.button('Stop').first().click();
  await chat.idle();
  const user = join(server.dataDir, 'data/User');
  const own = () =>
    [
      join(user, 'globalStorage'),
      ...readdirSync(join(user, 'workspaceStorage')).map((name) => join(user, 'workspaceStorage', name)),
    ]
      .map((folder) => join(folder, 'parley.parley'))
      .filter((folder) => existsSync(folder));
  const stored = () =>
    own().flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ndjson')),
    );
  await until('the conversation to be saved', () => stored().length > 0);

  await workbench.runCommand('Parley: Erase All Data…');
  const question = workbench.dialog(/Erase all data of Parley/);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await workbench.runCommand('Parley: Erase All Data…');
  await question.getByRole('button', { name: 'Erase and Reload' }).click();
  await workbench.notification(/All data of Parley on this machine is erased/).waitFor();
  chat = new Chat(await window.openChat());
  await chat.focused();
  await until('nothing to be left', async () => stored().length === 0 && !(await chat.text()).includes('/edit'));
});
