import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { screenshots, test } from './harness';
import { scriptedAgent } from './underReview';

/* What an agent does to files by itself, as a user sees it. */

test("an agent's own edit and a command are listed with what was there before, and undone one by one", async ({
  openWindow,
}) => {
  const agent = scriptedAgent();
  const window = await openWindow({ settings: agent.settings });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: window.folder,
      stdio: 'ignore',
    });
  const at = (name: string) => join(window.folder, name);
  writeFileSync(at('notes.txt'), 'one\ntwo\nthree\n');
  writeFileSync(at('other file.txt'), 'alpha\nbeta\n');
  writeFileSync(at('old name.txt'), 'stays the same\n');
  writeFileSync(at('.gitignore'), 'node_modules/\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  const chat = new Chat(await window.openChat());
  await chat.send(`@@DISKEDIT ${at('notes.txt')} | two | TWO`);
  await chat.idle();
  const list = chat.frame.getByRole('list', { name: 'Changed files' });
  await until('the edited file in the list', async () =>
    (await list.textContent().catch(() => ''))?.includes('notes.txt'),
  );

  await chat.send(
    `@@SHELL cd '${window.folder}' && sed -i s/beta/BETA/ 'other file.txt' && git mv 'old name.txt' 'new name.txt' && echo made > made.txt && mkdir -p node_modules/x && echo x > node_modules/x/y.js`,
  );
  await chat.idle();
  await chat.button(/^4 files/).click();
  const rows = list.getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(4);
  await window.workbench.screenshot(join(screenshots, 'disk-changes.png'));
  await expect.poll(() => list.textContent()).toContain('from old name.txt');

  await chat.button('Undo notes.txt').click();
  await until('the text as it was', () => readFileSync(at('notes.txt'), 'utf8') === 'one\ntwo\nthree\n');
  await expect.poll(() => rows.count()).toBe(3);
  await chat.button('Undo other file.txt').click();
  await until('the text as it was', () => readFileSync(at('other file.txt'), 'utf8') === 'alpha\nbeta\n');
  await expect.poll(() => rows.count()).toBe(2);
  await chat.button('Undo made.txt').click();
  await until('the file to go', () => !existsSync(at('made.txt')));
  await expect.poll(() => rows.count()).toBe(1);
  await chat.button('Undo new name.txt').click();
  await until('the file at its old place', () => existsSync(at('old name.txt')) && !existsSync(at('new name.txt')));
  await until('an empty list', async () => (await list.count()) === 0);
});

test('what the user makes while the agent works is listed apart: Undo leaves it alone, unless it is included', async ({
  openWindow,
}) => {
  const agent = scriptedAgent();
  const window = await openWindow({ settings: agent.settings });
  const at = (name: string) => join(window.folder, name);
  writeFileSync(at('notes.txt'), 'one\ntwo\nthree\n');
  const chat = new Chat(await window.openChat());
  await chat.send(`@@DISKEDIT ${at('notes.txt')} | two | TWO\n@@SAY I think\n@@SILENT`);
  await chat.sees('I think');
  const files = chat.frame.getByRole('list', { name: 'Changed files' });
  await until('the edited file in the list', async () =>
    (await files.textContent().catch(() => ''))?.includes('notes.txt'),
  );
  // Not by the editor: another program of the user's, while no call runs.
  for (const name of ['mine.txt', 'mine too.txt']) writeFileSync(at(name), 'mine\n');
  const apart = chat.button(/^2 other changes/);
  await apart.waitFor();
  await chat.button('Stop').click();
  await chat.idle();
  writeFileSync(at('after.txt'), 'right after the answer\n');

  await apart.click();
  await window.workbench.screenshot(join(screenshots, 'unclaimed-changes.png'));
  const undoAll = async () => {
    await window.workbench.runCommand('Parley: Undo All Changes');
    await window.workbench.dialog('Undo this session’s changes').getByRole('button', { name: 'Undo All' }).click();
  };
  await undoAll();
  await until('the text as it was', () => readFileSync(at('notes.txt'), 'utf8') === 'one\ntwo\nthree\n');
  expect(['mine.txt', 'mine too.txt', 'after.txt'].filter((name) => !existsSync(at(name)))).toEqual([]);

  await chat.button('Include mine.txt').click();
  await until('the file in the list', async () => (await files.textContent().catch(() => ''))?.includes('mine.txt'));
  await chat.button(/^1 other change/).waitFor();
  await chat.button('Dismiss mine too.txt').click();
  await undoAll();
  await until('the file to go', () => !existsSync(at('mine.txt')));
  expect(existsSync(at('mine too.txt')) && existsSync(at('after.txt'))).toBe(true);
});
