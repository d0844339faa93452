import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test, type Window } from './harness';

/* What cannot be saved, and what the user wants gone. */

/** All files in a folder, as text. */
const textsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

/**
 * Where the window keeps its conversation with this text, which no other story has: its server may serve other windows.
 * Waits until it is there.
 */
async function storageOf(window: Window, text: string): Promise<string> {
  const all = join(window.server.dataDir, 'data/User/workspaceStorage');
  const storages = () =>
    readdirSync(all)
      .map((name) => join(all, name, 'parley.parley'))
      .filter((folder) => existsSync(join(folder, 'threads')));
  await until(`a storage with "${text}"`, () =>
    storages().some((folder) => textsIn(join(folder, 'threads')).includes(text)),
  );
  return storages().find((folder) => textsIn(join(folder, 'threads')).includes(text))!;
}

test('a conversation that cannot be saved says so at once, is saved by Try Again, and is whole after a reload', async ({
  openWindow,
}) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings, fresh: true });
  let chat = new Chat(await window.openChat());
  await chat.send('%%SAY words to be saved');
  await chat.idle();
  const threads = join(await storageOf(window, 'words to be saved'), 'threads');
  // A disk that takes nothing: also the user of a container is an administrator, whom no permission stops.
  renameSync(threads, `${threads}.away`);
  writeFileSync(threads, '');
  await chat.send('%%SAY the second answer');
  const strip = chat.frame.getByRole('group', { name: 'This conversation is not being saved: its folder is gone.' });
  await strip.getByRole('button', { name: 'Try Again' }).waitFor();
  await chat.sees('the second answer');
  await chat.idle();
  rmSync(threads);
  renameSync(`${threads}.away`, threads);
  // Parley tries again by itself every few seconds, too.
  await until('the line to go', async () => {
    await strip
      .getByRole('button', { name: 'Try Again' })
      .click({ timeout: 1_000 })
      .catch(() => undefined);
    return (await strip.count()) === 0;
  });
  await window.workbench.reload();
  chat = new Chat(await window.openChat());
  await chat.sees('words to be saved');
  await chat.sees('the second answer');
  expect(await chat.text()).not.toMatch(/Interrupted|not saved|not being saved/);
  agent.check();
});

test('a session that was deleted just before the window closed is gone with all that has its text', async ({
  openWindow,
}) => {
  const offers = { close: {}, resume: {}, delete: {} };
  const agent = new FakeAgent(newWireLog(), {
    initializePatch: { agentCapabilities: { sessionCapabilities: offers } },
  });
  const window = await openWindow({ settings: agent.settings, fresh: true });
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY plans for Zanzibar\n%%PERMISSION Leave for Zanzibar');
  await chat.answer(/Leave for Zanzibar/, 'Allow once');
  await chat.idle();
  const storage = await storageOf(window, 'plans for Zanzibar');
  await window.workbench.runCommand('Parley: Show Sessions');
  const rows = chat.frame.getByRole('grid', { name: 'Sessions' }).getByRole('row');
  await rows.first().focus();
  await window.workbench.page.keyboard.press('Delete');
  await chat.frame.getByText('deleted', { exact: false }).first().waitFor();
  await window.workbench.reload();
  await expect.poll(() => textsIn(storage)).not.toContain('Zanzibar');
  agent.check();
});
