import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { GitBaseline, parseIndex, parseStatus } from '../../../src/node/gitBaseline';
import { parseBatch } from '../../../src/node/gitContents';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-git-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let root: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root, stdio: 'pipe' });
const put = (name: string, text: string) => {
  mkdirSync(join(root, name, '..'), { recursive: true });
  writeFileSync(join(root, name), text);
};
const told = async (baseline: GitBaseline | undefined, ...names: string[]) => {
  const found = await baseline!.contents(names.map((name) => join(root, name)));
  return names.map((name) => {
    const content = found.get(join(root, name))!;
    return content.kind === 'blob' ? content.bytes.toString() : content.kind;
  });
};

describe('git as a witness of what was before', () => {
  beforeEach(() => {
    root = mkdtempSync(join(base, 'repository-'));
    put('clean.txt', 'clean\n');
    put('dirty.txt', 'committed\n');
    put('staged.txt', 'committed\n');
    put('folder/ünï #1.txt', 'in a folder\n');
    put('big.bin', 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n');
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    put('dirty.txt', 'changed\n');
    put('staged.txt', 'staged\n');
    git('add', 'staged.txt');
    put('untracked/new.txt', 'new\n');
  });

  it('knows a file whose name only changed its case, where case does not count', async () => {
    git('config', 'core.ignoreCase', 'true');
    const baseline = await GitBaseline.take(root, process.env);
    renameSync(join(root, 'clean.txt'), join(root, 'CLEAN.txt'));
    renameSync(join(root, 'dirty.txt'), join(root, 'Dirty.txt'));
    expect(await told(baseline, 'CLEAN.txt', 'FOLDER/ünï #1.txt', 'Dirty.txt', 'never.txt')).toEqual([
      'clean\n',
      'in a folder\n',
      'unknown',
      'absent',
    ]);
    git('config', 'core.ignoreCase', 'false');
    expect(await told(await GitBaseline.take(root, process.env), 'CLEAN.txt')).toEqual(['unknown']);
  });

  it('knows clean files and files that were not there, and nothing of those that were changed', async () => {
    const baseline = await GitBaseline.take(root, process.env);
    put('clean.txt', 'by the agent\n');
    expect(await told(baseline, 'clean.txt', 'folder/ünï #1.txt', 'never.txt')).toEqual([
      'clean\n',
      'in a folder\n',
      'absent',
    ]);
    expect(await told(baseline, 'dirty.txt', 'staged.txt', 'untracked/new.txt', 'big.bin', 'new\nline')).toEqual([
      'unknown',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
    ]);
    expect(baseline!.changedFiles.sort()).toEqual(
      ['dirty.txt', 'staged.txt', 'untracked/new.txt'].map((name) => join(root, name)),
    );
    expect(await baseline!.changedNow()).toContain(join(root, 'clean.txt'));
  });

  it.each(['--skip-worktree', '--assume-unchanged'])(
    'does not take the commit for what stands in a file that git was told not to look at (%s)',
    async (flag) => {
      put('sub/local.txt', 'committed\n');
      git('add', '.');
      git('commit', '-q', '-m', 'second');
      git('update-index', flag, 'sub/local.txt');
      put('sub/local.txt', 'settings of the user\n');
      for (const folder of ['.', 'sub']) {
        const baseline = await GitBaseline.take(join(root, folder), process.env);
        expect(await told(baseline, 'sub/local.txt')).toEqual(['unknown']);
        expect(baseline!.changedFiles).toContain(join(root, 'sub/local.txt'));
      }
    },
  );

  it('does not take for what stood on disk what git converts on the way there, and runs no program that would', async () => {
    put('sub/.gitattributes', 'secret.* filter=crypt\nwide.txt working-tree-encoding=UTF-16\nplain.txt -filter\n');
    put('sub/wide.txt', '');
    for (const name of ['sub/secret.txt', 'sub/plain.txt']) put(name, 'as in the commit\n');
    git('add', '.');
    git('commit', '-q', '-m', 'second');
    git('config', 'filter.crypt.smudge', `touch "${join(root, 'ran')}"`);
    for (const folder of ['.', 'sub']) {
      const baseline = await GitBaseline.take(join(root, folder), process.env);
      expect(await told(baseline, 'sub/secret.txt', 'sub/wide.txt', 'sub/plain.txt', 'sub/secret.new')).toEqual([
        'unknown',
        'unknown',
        'as in the commit\n',
        'absent',
      ]);
    }
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  it.each([
    ['core.autocrlf', 'true'],
    ['core.autocrlf', 'input'],
    ['core.autocrlf', 'false'],
    ['core.eol', 'crlf'],
  ])('knows files with the line ends that git writes to the disk (%s = %s)', async (setting, value) => {
    put(
      '.gitattributes',
      '*.bat eol=crlf\n*.sh eol=lf\n*.txt text\n*.md text=auto\n*.raw -text\n*.odd -text eol=crlf\n*.sure text\n',
    );
    const names = ['a.bat', 'a.sh', 'a.txt', 'a.md', 'a.raw', 'a.none', 'a.odd'];
    for (const name of names) put(name, 'one\ntwo\n\nlast');
    const binary = `\x01\x02\x03${'x'.repeat(200)}\n`;
    put('b.md', binary);
    put('c.md', 'no\x00text\n');
    put('d.none', 'a line\n\x7f\n'.repeat(20));
    put('e.none', `${'a long line of a text, and so on.\n'.repeat(20)}\x7f\n`);
    put('f.none', 'one\rtwo\n');
    put('g.sure', 'one\rtwo\nthree\n\x00\x01\n');
    names.push('b.md', 'c.md', 'd.none', 'e.none', 'f.none', 'g.sure');
    git('add', '.');
    git('commit', '-q', '-m', 'second');
    git('config', setting, value);
    // As git itself writes them.
    for (const name of names) rmSync(join(root, name));
    git('checkout', '-q', '--', ...names);
    // An editor has saved this one in its own way, and git takes it for clean.
    put('a.md', 'one\ntwo\n\nlast');
    git('add', 'a.md');
    const written = names.map((name) => readFileSync(join(root, name)).toString());
    const baseline = await GitBaseline.take(root, process.env);
    for (const name of names) put(name, 'by the agent\n');
    expect(await told(baseline, ...names)).toEqual(written);
  });

  it('knows the small ones of many files that are too much together', async () => {
    put('large.txt', 'x'.repeat(200_000));
    git('add', 'large.txt');
    git('commit', '-q', '-m', 'second');
    const baseline = await GitBaseline.take(root, process.env);
    const names = ['large.txt', 'clean.txt', 'never.txt', 'folder/ünï #1.txt'].map((name) => join(root, name));
    const kinds = async (maxBytes: number) =>
      [...(await baseline!.contents(names, maxBytes)).values()].map(({ kind }) => kind);
    expect(await kinds(100_000)).toEqual(['unknown', 'blob', 'absent', 'blob']);
    expect(await kinds(10)).toEqual(['unknown', 'unknown', 'absent', 'unknown']);
  });

  it('still knows them after the agent has staged, committed and moved', async () => {
    const baseline = await GitBaseline.take(root, process.env);
    put('clean.txt', 'by the agent\n');
    git('commit', '-q', '-a', '-m', 'second');
    renameSync(join(root, 'folder'), join(root, 'moved'));
    expect(await told(baseline, 'clean.txt', 'folder/ünï #1.txt')).toEqual(['clean\n', 'in a folder\n']);
    expect(await baseline!.filesUnder([join(root, 'folder'), join(root, 'nowhere')])).toEqual([
      join(root, 'folder/ünï #1.txt'),
    ]);
  });

  it('works from a folder of the repository, and asks nothing about a repository in it', async () => {
    put('sub/inner/x.txt', 'x\n');
    execFileSync('git', ['init', '-q'], { cwd: join(root, 'sub/inner') });
    const baseline = await GitBaseline.take(join(root, 'sub'), process.env);
    expect(await told(baseline, 'sub/none.txt', 'sub/inner/none.txt', 'clean.txt')).toEqual([
      'absent',
      'unknown',
      'unknown',
    ]);
  });

  it('writes nothing, and runs no program that the repository names', async () => {
    put('.git/monitor.sh', `#!/bin/sh\ntouch "${join(root, 'ran')}"\n`);
    git('config', 'core.fsmonitor', join(root, '.git/monitor.sh'));
    // A content that is as before with another time makes git want to refresh its index.
    put('clean.txt', 'clean\n');
    const index = join(root, '.git/index');
    const before = { bytes: readFileSync(index), at: statSync(index).mtimeMs };
    const baseline = await GitBaseline.take(root, process.env);
    await told(baseline, 'clean.txt');
    expect(readFileSync(index).equals(before.bytes) && statSync(index).mtimeMs === before.at).toBe(true);
    expect(baseline!.changedFiles).not.toContain(join(root, 'ran'));
  });

  it('says nothing where there is no repository, no git, or no commit', async () => {
    const plain = mkdtempSync(join(base, 'plain-'));
    expect(await GitBaseline.take(plain, process.env)).toBeUndefined();
    expect(await GitBaseline.take(root, { PATH: '' })).toBeUndefined();
    execFileSync('git', ['init', '-q'], { cwd: plain });
    writeFileSync(join(plain, 'a.txt'), 'a');
    const baseline = await GitBaseline.take(plain, process.env);
    expect(baseline!.changedFiles).toEqual([join(plain, 'a.txt')]);
    expect([...(await baseline!.contents([join(plain, 'a.txt')])).values()]).toEqual([{ kind: 'unknown' }]);
  });
});

it('tells which files were programs, unless git does not look at that', async () => {
  root = mkdtempSync(join(base, 'programs-'));
  for (const name of ['run.sh', 'plain.txt']) put(name, 'x\n');
  chmodSync(join(root, 'run.sh'), 0o755);
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  const names = ['run.sh', 'plain.txt'].map((name) => join(root, name));
  const modes = async () =>
    [...(await (await GitBaseline.take(root, process.env))!.contents(names)).values()].map(
      (content) => content.kind === 'blob' && content.isExecutable,
    );
  expect(await modes()).toEqual([true, false]);
  git('config', 'core.fileMode', 'false');
  expect(await modes()).toEqual([undefined, undefined]);
});

it('reads all kinds of lines of git status', () => {
  const oid = 'a'.repeat(40);
  const lines = [
    `# branch.oid ${oid}`,
    '# branch.head main',
    `1 .M N... 100644 100644 100644 ${oid} ${oid} a b.txt`,
    `u UU N... 100644 100644 100644 100644 ${oid} ${oid} ${oid} both.txt`,
    '? new\nline.txt',
    '? repo/',
    '',
  ];
  expect(parseStatus(Buffer.from(lines.join('\0')))).toEqual(
    new Set(['a b.txt', 'both.txt', 'new\nline.txt', 'repo/']),
  );
});

it('reads which files git was told not to look at', () => {
  const oid = 'a'.repeat(40);
  const lines = ['H a', 'S b c', 'h d\ne', 's f', 'M g', 'H sub'].map((line) =>
    line.replace(/^(.) /, `$1 ${line.endsWith('sub') ? '160000' : '100644'} ${oid} 0\t`),
  );
  expect(parseIndex(Buffer.from(`${lines.join('\0')}\0`))).toEqual({
    unwatched: new Set(['b c', 'd\ne', 'f']),
    links: new Set(['sub/']),
  });
});

it('reads a batch of objects, binary ones too, and one that is cut off', () => {
  const oid = 'a'.repeat(40);
  const output = Buffer.concat([
    Buffer.from(`${oid} blob 3\n`),
    Buffer.from([10, 0, 10]),
    Buffer.from(`\nx:y missing\n${oid} tree 1\n\0\n`),
  ]);
  expect(parseBatch(output, 4)).toEqual([
    { kind: 'blob', bytes: Buffer.from([10, 0, 10]) },
    { kind: 'unknown' },
    { kind: 'unknown' },
  ]);
});
