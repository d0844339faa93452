import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import {
  type ReadChangesOptions,
  readChanges,
  type RepositoryChanges,
} from '../../../../src/host/ask/repositoryChanges';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-asked-git-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let root: string;
let home: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd: root,
    stdio: 'pipe',
    env: { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
  });
const put = (name: string, text: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};
const read = (which: ReadChangesOptions['which']) =>
  readChanges(root, {
    which,
    env: { PATH: process.env['PATH'], HOME: home },
    isGuarded: (path) => path.endsWith('.lock'),
  });
const changes = async (which: ReadChangesOptions['which']) => (await read(which)) as RepositoryChanges;

beforeEach(() => {
  const folder = mkdtempSync(join(base, 'case-'));
  [root, home] = [join(folder, 'repository'), join(folder, 'home')];
  for (const made of [root, home]) mkdirSync(made);
  git('init', '-q');
});

it('what is staged, or else all changes, with the last messages', async () => {
  put('a.ts', 'one\n');
  git('add', '.');
  git('commit', '-qm', 'feat: begin\n\nA body');
  put('a.ts', 'one\ntwo\n');
  put('b.ts', 'new\n');
  expect(await changes('staged')).toMatchObject({
    isStaged: false,
    files: ['a.ts'],
    messages: ['feat: begin\n\nA body'],
  });
  git('add', 'b.ts');
  const staged = await changes('staged');
  expect(staged).toMatchObject({ isStaged: true, files: ['b.ts'], top: root });
  expect(staged.diff).toContain('+new');
  expect(staged.diff).not.toContain('two');
  expect((await changes('all')).files).toEqual(['a.ts', 'b.ts']);
});

it('the first commit', async () => {
  put('a.ts', 'one\n');
  expect(await read('staged')).toBe('Stage the files of the first commit, then try again.');
  git('add', '.');
  expect(await changes('staged')).toMatchObject({ isStaged: true, files: ['a.ts'], messages: [] });
});

it('protected files and those with secrets are named, and never read', async () => {
  put('a.ts', 'one\n');
  for (const name of ['deep/.env.local', 'server.key', 'id_ed25519', 'yarn.lock', '.aws/credentials'])
    put(name, 'hunter2\n');
  git('add', '-f', '.');
  const { diff, files, leftOut } = await changes('staged');
  expect(diff).not.toContain('hunter2');
  expect(files).toEqual(['a.ts']);
  expect(leftOut).toEqual(['.aws/credentials', 'deep/.env.local', 'id_ed25519', 'server.key', 'yarn.lock']);
});

it('what is large is shortened, and says so', async () => {
  put('large.txt', 'line\n'.repeat(200_000));
  for (let n = 0; n < 40; n++) put(`some${n}.txt`, 'word\n'.repeat(1_000));
  git('add', '.');
  const { diff, files } = await changes('staged');
  expect(diff.length).toBeLessThan(100 * 1024);
  expect(diff).toContain("… the rest of this file's changes is left out");
  expect(diff).toMatch(/… and the changes of \d+ more files/);
  expect(files).toHaveLength(41);
});

it('a repository without changes, and a folder without one', async () => {
  put('a.ts', 'one\n');
  git('add', '.');
  git('commit', '-qm', 'Begin');
  expect(await read('all')).toBe('There are no changes since the last commit.');
  root = home;
  expect(await read('all')).toBe('Parley cannot read this Git repository.');
});

it('nothing that the repository configures runs, and names are no patterns', async () => {
  put('a.ts', 'one\n');
  git('add', '.');
  git('commit', '-qm', 'Begin');
  const trap = join(root, 'trap');
  writeFileSync(trap, `#!/bin/sh\ntouch ${join(home, 'ran')}\ncat\n`, { mode: 0o755 });
  for (const [name, value] of Object.entries({
    'diff.external': trap,
    'core.pager': trap,
    'core.fsmonitor': trap,
    'filter.x.clean': trap,
    'diff.x.textconv': trap,
    'gpg.program': trap,
    'log.showSignature': 'true',
  }))
    git('config', name, value);
  put('.gitattributes', '*.ts filter=x diff=x\n');
  put('a.ts', 'one\ntwo\n');
  put(':(glob)*.ts', 'pattern\n');
  expect((await changes('all')).diff).toContain('+two');
  expect(() => realpathSync(join(home, 'ran'))).toThrow();
});
