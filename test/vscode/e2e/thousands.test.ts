import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { removeFolder, temporaryFolder } from '../../launch/project.mjs';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { screenshots, test } from './harness';

/* A formatter's run over thousands of files, as a user sees it: only in `npm run test:long`. */

const FILES = 3_000;
/** A number as the panel writes it. */
const counted = (count: number, rest: string) => new RegExp(`(${count}|${count.toLocaleString('en')}) ${rest}`);

/** One folder with many files, all of them clean in git, and a command that changes each. */
function makeProject(folder: string): { texts: () => string[]; command: string } {
  const paths = Array.from({ length: FILES }, (_, i) => join(folder, `src/${Math.floor(i / 100)}/file ${i}.ts`));
  for (const [i, path] of paths.entries()) {
    if (i % 100 === 0) mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `const a = ${i}  ;\ncall(a);\nconst b = ${i}  ;\n`);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  return {
    texts: () => paths.map((path) => readFileSync(path, 'utf8')),
    command: `cd '${folder}' && find src -name '*.ts' -exec sed -i 's/  ;/;/' {} +`,
  };
}

test(`${FILES} changed files are one line, are undone, kept and restored at once, and that can be stopped`, async ({
  openWindow,
}) => {
  const state = temporaryFolder('thousands');
  const folder = join(state, 'work');
  mkdirSync(folder);
  const { texts, command } = makeProject(folder);
  const before = texts();
  const after = before.map((text) => text.replaceAll('  ;', ';'));
  const changed = () => texts().filter((text, i) => text !== before[i]).length;
  try {
    const window = await openWindow({ folder, settings: new FakeAgent(join(state, 'agent.log')).settings });
    const { page } = window.workbench;
    const chat = new Chat(await window.openChat());
    const bar = chat.frame.getByRole('group', { name: 'Changes', exact: true });
    const listed = (files: RegExp) =>
      until(
        'the files in one line',
        async () => files.test((await bar.textContent({ timeout: 1_000 }).catch(() => '')) ?? ''),
        { timeout: 60_000 },
      );
    /** Stopped in the middle of Undo, the rest still waits. */
    const stopInTheMiddle = async () => {
      await bar.getByRole('button', { name: 'Undo', exact: true }).click();
      await window.workbench.dialog('Undo this session’s changes').getByRole('button', { name: 'Undo All' }).click();
      const progress = window.workbench.notification('Undoing changes');
      await progress.waitFor();
      await window.workbench.screenshot(join(screenshots, 'thousands-undoing.png'));
      await progress.getByRole('button', { name: 'Cancel' }).click();
      await progress.waitFor({ state: 'hidden' });
      // What was begun ends, a moment after the notification has gone.
      await until('the rest in the list', async () => {
        const left = changed();
        expect(left).toBeGreaterThan(0);
        expect(left).toBeLessThan(FILES);
        return new RegExp(`^\\D*(${left.toLocaleString('en')}|${left}) files`).test((await bar.textContent()) ?? '');
      });
    };
    await chat.send(`@@SHELL ${command}`);
    await listed(counted(FILES, 'files'));
    await window.workbench.statusBarItem(counted(2 * FILES, 'changes to review')).waitFor({ timeout: 60_000 });
    // Nobody reads a list of thousands: the first ones, and how many more there are.
    await chat.button(counted(FILES, 'files')).click();
    await bar.getByRole('button', { name: new RegExp(`^and ${counted(FILES - 200, 'more').source}`) }).waitFor();
    await window.workbench.screenshot(join(screenshots, 'thousands.png'));
    expect(texts()).toEqual(after);

    await stopInTheMiddle();
    await bar.getByRole('button', { name: 'Undo', exact: true }).click();
    await window.workbench.dialog('Undo this session’s changes').getByRole('button', { name: 'Undo All' }).click();
    await until('all files as they were', () => changed() === 0, { timeout: 90_000 });
    await until('nothing to review', async () => (await bar.count()) === 0);

    // With the keyboard, what is done again is kept, and that taken back.
    await chat.send(`@@SHELL ${command}`);
    await listed(counted(FILES, 'files'));
    await window.workbench.runCommand('Parley: Keep All Changes');
    await until('nothing to review', async () => (await bar.count()) === 0, { timeout: 60_000 });
    expect(texts()).toEqual(after);
    await window.workbench.runCommand('Parley: Undo Last Keep');
    await listed(counted(FILES, 'files'));
    await expect.poll(() => page.locator('.notification-list-item').count()).toBe(0);

    // A checkpoint brings all of them back, and tells how far it is.
    await window.workbench.runCommand('Parley: Restore Checkpoint…');
    await window.workbench
      .quickInputRows(/files changed/)
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await window.workbench.quickInputRows('Files only').click({ timeout: 60_000 });
    await window.workbench.quickInputRows('file 0.ts').first().waitFor({ timeout: 60_000 });
    await page.keyboard.press('Enter');
    await window.workbench.notification('Restoring files').waitFor();
    await until('all files as they were', () => changed() === 0, { timeout: 90_000 });
    await until('nothing to review', async () => (await bar.count()) === 0);
  } finally {
    removeFolder(state);
  }
});
