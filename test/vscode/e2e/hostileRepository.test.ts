import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { kindOf, ProgramsRun } from '../../fakes/programsRun';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { test } from './harness';
import { scriptedAgent } from './underReview';

/** A repository in which everything that can name a program names one that leaves a trace. */
function hostileRepository(): { readonly folder: string; readonly trace: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-hostile-')));
  const folder = join(base, 'work');
  const trace = join(base, 'ran');
  const put = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  put('notes.txt', 'one\ntwo\n');
  put('sub/other.txt', 'alpha\n');
  put('.gitattributes', '*.txt filter=evil diff=evil\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  const evil = join(folder, 'bin/evil');
  put('bin/evil', `#!/bin/sh\necho "$0 $*" >> '${trace}'\ncat\n`);
  for (const name of ['git', 'rg', 'ps', 'taskkill', 'sh', 'bash']) symlinkSync('evil', join(folder, 'bin', name));
  chmodSync(evil, 0o755);
  for (const hook of ['post-index-change', 'reference-transaction'])
    symlinkSync(evil, join(folder, '.git/hooks', hook));
  appendFileSync(
    join(folder, '.git/config'),
    `[core]\n\tfsmonitor = ${evil}\n\tpager = ${evil}\n\tsshCommand = ${evil}\n[filter "evil"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n\trequired = true\n[diff]\n\texternal = ${evil}\n[diff "evil"]\n\ttextconv = ${evil}\n\tcommand = ${evil}\n[alias]\n\tstatus = !${evil}\n\tdiff = !${evil}\n`,
  );
  symlinkSync('/dev/zero', join(folder, '.gitignore'));
  mkdirSync(join(folder, '.vscode'));
  symlinkSync('/dev/zero', join(folder, '.vscode/mcp.json'));
  // What has an old time is looked into by git: that is when filters run.
  for (const name of ['notes.txt', 'sub/other.txt']) utimesSync(join(folder, name), 1, 1);
  return { folder, trace };
}

/** What may run while Parley works. Programs of VS Code's own are known by where they are. */
const allowed = new Set([
  'node',
  'sh',
  'rg',
  'git config',
  'git status',
  'git ls-files',
  'git ls-tree',
  'git cat-file',
  'git check-attr',
  'git diff',
]);
/** What VS Code's server itself looks for, and what the system's own profile for login shells runs. */
const ofVscode = new Set([
  'id',
  'ls',
  'grep',
  'cpuUsage.sh',
  'ps',
  'which',
  'uname',
  'cat',
  'sed',
  'sleep',
  'dirname',
  'readlink',
  'ldd',
  'ldconfig',
  'getconf',
  'bash',
  'env',
]);

test.runIf(process.platform === 'linux')(
  'a hostile repository runs nothing and takes no memory: before trust, in a turn, with @, @changes, Undo and Restore',
  async ({ openWindow }) => {
    const { folder, trace } = hostileRepository();
    const agent = scriptedAgent();
    const programs = new ProgramsRun();
    const at = (name: string) => join(folder, name);
    const window = await openWindow({
      folder,
      trust: false,
      under: programs.under,
      env: { PATH: `${at('bin')}:${process.env['PATH']}`, HOME: dirname(folder), SHELL: '/bin/sh' },
      settings: { ...agent.settings, 'git.enabled': false },
    });
    const { workbench } = window;
    const { page } = workbench;
    let chat = new Chat(
      await workbench
        .runCommand('Parley: Open Chat')
        .then(() => workbench.chat({ selector: 'text=/Restricted Mode/' })),
    );
    expect(existsSync(trace) && readFileSync(trace, 'utf8')).toBe(false);

    await workbench.runCommand('Workspaces: Manage Workspace Trust');
    await page.getByRole('button', { name: 'Trust', exact: true }).first().click();
    await until(
      'the workspace to be trusted',
      async () =>
        (await chat.frame
          .getByText(/Restricted Mode/)
          .count()
          .catch(() => 0)) === 0,
    );
    // The page of the trust is a dialog over the window.
    const dialog = page.locator('.monaco-modal-editor-block');
    await dialog.locator('.action-label[class*="codicon-close"]').last().click();
    await dialog.waitFor({ state: 'hidden' });
    chat = new Chat(await window.openChat());
    await chat.send('hello');
    await chat.idle();
    await chat.send(`@@DISKEDIT ${at('notes.txt')} | two | TWO`);
    await chat.idle();
    const list = chat.frame.getByRole('list', { name: 'Changed files' });
    await until('the edited file in the list', async () =>
      (await list.textContent().catch(() => ''))?.includes('notes.txt'),
    );
    await chat.box.fill('@other');
    await chat.frame
      .getByRole('option', { name: /other\.txt/ })
      .first()
      .waitFor();
    await chat.box.fill('');
    await chat.button('Add context').click();
    await workbench.quickInputRows('@changes').first().click();
    await chat.button('Open Changes').waitFor();
    await chat.frame
      .getByRole('group', { name: 'Changes', exact: true })
      .getByRole('button', { name: 'Undo', exact: true })
      .click();
    await workbench.dialog('Undo this session’s changes').getByRole('button', { name: 'Undo All' }).click();
    await until('the text as it was', () => readFileSync(at('notes.txt'), 'utf8') === 'one\ntwo\n');
    await chat.send(`@@DISKEDIT ${at('sub/other.txt')} | alpha | ALPHA`);
    await chat.idle();
    await until('the second file in the list', async () =>
      (await list.textContent().catch(() => ''))?.includes('other.txt'),
    );
    const prompt = chat.log.locator('.user-message').last();
    await prompt.hover();
    await prompt.getByRole('button', { name: 'Restore to the checkpoint before this message' }).click();
    await workbench.quickInputRows('Files only').click();
    await workbench.quickInputRows('other.txt').first().waitFor();
    await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
    await until('the text as it was', () => readFileSync(at('sub/other.txt'), 'utf8') === 'alpha\n');

    expect(existsSync(trace) && readFileSync(trace, 'utf8')).toBe(false);
    const runs = programs.all;
    if (!programs.canSee) console.log('Programs could not be recorded here: only traces were looked for.');
    else expect(runs.map(kindOf)).toEqual(expect.arrayContaining(['git status', 'git diff', 'rg']));
    const strange = runs.filter(
      (run) => run.file.startsWith(folder) || !(allowed.has(kindOf(run)) || ofVscode.has(kindOf(run))),
    );
    expect([...new Set(strange.map(({ file, args }) => [file, ...args].join(' ')))]).toEqual([]);
    // Git was only ever asked away from the repository's own settings.
    expect(
      runs.filter(
        (run) =>
          kindOf(run).startsWith('git ') &&
          run.file.startsWith('/') &&
          !run.args.includes('--no-optional-locks') &&
          !run.args.includes('config'),
      ),
    ).toEqual([]);
    await window.close();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  },
);
