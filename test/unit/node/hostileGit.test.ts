import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/base/log';
import { GitBaseline } from '../../../src/node/gitBaseline';
import { copyPart, isPlaceholder } from '../../../src/node/gitByPlatform';
import { findGitFolders, namedFolder } from '../../../src/node/gitFolders';
import { PinnedCommits } from '../../../src/node/pinnedCommits';
import { PinnedGit } from '../../../src/node/pinnedGit';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-hostile-git-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let root: string;
let home: string;
let env: NodeJS.ProcessEnv;
const gitIn = (cwd: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always', ...args],
    { cwd, stdio: 'pipe', encoding: 'utf8', env: { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: '1' } },
  );
const git = (...args: string[]) => gitIn(root, ...args);
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

beforeEach(() => {
  const folder = mkdtempSync(join(base, 'case-'));
  root = join(folder, 'repository');
  home = join(folder, 'home');
  mkdirSync(root);
  mkdirSync(home);
  env = { PATH: process.env['PATH'], HOME: home };
  put('a.txt', 'one\n');
  put('sub/b.txt', 'two\n');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
});

/** All that there is to ask, and a diff. */
async function everything(): Promise<GitBaseline | undefined> {
  const baseline = await GitBaseline.take(root, env);
  await baseline?.contents(['a.txt', 'sub/b.txt', 'new.txt', 'mod/x', 'gone.bin'].map((name) => join(root, name)));
  await baseline?.changedNow();
  await baseline?.filesUnder([join(root, 'sub')]);
  const pinned = await PinnedGit.open(root, { env });
  const head = await pinned?.head();
  if (pinned && head)
    await pinned
      .use(head, (run) => run(['diff', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all', 'HEAD']))
      .catch(() => undefined);
  const commits = await PinnedCommits.open(root, { env });
  if (commits && head?.commit !== undefined)
    await Promise.all(
      [commits.getCommit(head.commit), commits.show(head.commit, join(root, 'a.txt'))].map((asked) =>
        asked.catch(() => undefined),
      ),
    );
  return baseline;
}

describe.skipIf(process.platform === 'win32')('a hostile repository', () => {
  it('runs none of the programs that its configuration names', async () => {
    const canary = join(root, '../ran');
    const script = join(root, 'evil.sh');
    writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> "${canary}"\ncat 2>/dev/null\n`);
    chmodSync(script, 0o755);
    mkdirSync(join(root, 'hooks'));
    for (const hook of ['post-index-change', 'pre-auto-gc', 'fsmonitor-watchman', 'reference-transaction'])
      symlinkSync(script, join(root, 'hooks', hook));
    execFileSync('git', ['init', '-q', join(root, 'mod')], { stdio: 'pipe' });
    execFileSync('sh', ['-c', 'echo x > x && git add x && git -c user.name=A -c user.email=a@b commit -qm x'], {
      cwd: join(root, 'mod'),
      stdio: 'pipe',
    });
    git('add', 'mod');
    writeFileSync(
      join(root, '.gitattributes'),
      '*.txt filter=evil diff=evil merge=evil text\n*.bin filter=proc diff=evil\n',
    );
    put('gone.bin', 'gone\n');
    git('add', '.');
    git('commit', '-q', '-m', 'second');
    const config = `
[core]\n fsmonitor = ${script}\n hooksPath = ${join(root, 'hooks')}\n pager = ${script}\n editor = ${script}\n sshCommand = ${script}\n askPass = ${script}\n gitProxy = ${script}\n alternateRefsCommand = ${script}
[filter "evil"]\n clean = ${script}\n smudge = ${script}\n required = true
[filter "proc"]\n process = ${script}\n clean = ${script}\n required = true
[diff]\n external = ${script}
[diff "evil"]\n command = ${script}\n textconv = ${script}
[merge "evil"]\n driver = ${script}
[credential]\n helper = !${script}
[gpg]\n program = ${script}
[log]\n showSignature = true
[alias]\n status = !${script}\n ls-files = !${script}\n ls-tree = !${script}\n cat-file = !${script}\n check-attr = !${script}\n diff = !${script}
[pager]\n status = ${script}\n diff = ${script}
[include]\n path = ${join(root, 'more.cfg')}
[init]\n templateDir = ${join(root, 'hooks')}
[submodule]\n recurse = true
[remote "origin"]\n url = ext::${script}\n promisor = true\n partialclonefilter = blob:none\n uploadpack = ${script}
[protocol "ext"]\n allow = always
[uploadpack]\n packObjectsHook = ${script}
[trace2]\n eventTarget = ${join(root, '../ran')}
`;
    writeFileSync(join(root, 'more.cfg'), `[core]\n fsmonitor = ${script}\n[filter "evil"]\n clean = ${script}\n`);
    appendFileSync(join(root, '.git/config'), config);
    appendFileSync(join(root, 'mod/.git/config'), config);
    writeFileSync(join(root, '.git/info/attributes'), '* filter=evil diff=evil\n');
    // The object of a file is missing, so that somebody might want to fetch it.
    const oid = git('rev-parse', 'HEAD:gone.bin').trim();
    unlinkSync(join(root, '.git/objects', oid.slice(0, 2), oid.slice(2)));
    // What git has to look into, because its time says nothing: that is when filters run.
    for (const name of ['a.txt', 'sub/b.txt', 'gone.bin', 'mod/x']) utimesSync(join(root, name), 1, 1);
    put('new.txt', 'new\n');
    // So that the test could see something at all.
    execFileSync('git', ['status', '--porcelain'], { cwd: root, stdio: 'pipe' });
    expect(existsSync(canary)).toBe(true);
    rmSync(canary);
    const baseline = await everything();
    expect(existsSync(canary)).toBe(false);
    expect(baseline!.changedFiles).toContain(join(root, 'new.txt'));
    expect(await told(baseline, 'a.txt', 'gone.bin', 'never')).toEqual(['unknown', 'unknown', 'absent']);
  });

  it('does not decide which git runs', async () => {
    put('bin/git', `#!/bin/sh\ntouch "${join(root, '../ran')}"\n`);
    chmodSync(join(root, 'bin/git'), 0o755);
    env = {
      ...env,
      PATH: `${join(root, 'bin')}:${env['PATH']}`,
      GIT_EXEC_PATH: join(root, 'bin'),
      GIT_DIR: join(root, 'elsewhere'),
      GIT_EXTERNAL_DIFF: join(root, 'bin/git'),
    };
    expect(await told(await everything(), 'a.txt')).toEqual(['one\n']);
    expect(existsSync(join(root, '../ran'))).toBe(false);
  });

  it.each(['config', 'HEAD', 'index', 'packed-refs', 'info/exclude', 'info/attributes', 'refs/heads/main'])(
    'with a pipe or an endless device for its %s holds nobody up',
    async (name) => {
      for (const make of [
        () => execFileSync('mkfifo', [join(root, '.git', name)]),
        () => symlinkSync('/dev/zero', join(root, '.git', name)),
      ]) {
        rmSync(join(root, '.git', name), { force: true });
        make();
        const started = Date.now();
        await everything();
        expect(Date.now() - started).toBeLessThan(60_000);
      }
    },
  );
});

describe.skipIf(process.platform === 'win32')('git without the configuration of the repository', () => {
  const both = ['a.txt', 'sub/b.txt', 'never.txt'];
  const known = ['one\n', 'two\n', 'absent'];

  it('knows a linked working tree, a submodule, and one with another name for its objects', async () => {
    const first = root;
    git('worktree', 'add', '-q', '-b', 'other', join(first, '../linked'));
    root = join(first, '../linked');
    expect(await told(await GitBaseline.take(root, env), ...both)).toEqual(known);
    root = join(first, '../outer');
    mkdirSync(root);
    git('init', '-q');
    git('submodule', '--quiet', 'add', first, 'inner');
    root = join(root, 'inner');
    expect(await told(await GitBaseline.take(root, env), ...both)).toEqual(known);
    gitIn(join(first, '..'), 'clone', '-q', '--shared', first, 'shared');
    root = join(first, '../shared');
    expect(await told(await GitBaseline.take(root, env), ...both)).toEqual(known);
  });

  it.each([
    ['packed refs', () => git('pack-refs', '--all')],
    ['packed objects', () => git('gc', '-q')],
    ['a detached HEAD', () => git('checkout', '-q', '--detach')],
    ['a renamed branch', () => git('branch', '-m', 'main', 'ünï/other')],
    ['a split index', () => git('update-index', '--split-index')],
    ['an untracked cache', () => git('update-index', '--untracked-cache')],
    ['a sparse index', () => git('sparse-checkout', 'init', '--cone', '--sparse-index')],
    ['line ends of its own', () => git('config', 'core.autocrlf', 'true')],
  ])('knows a repository with %s', async (name, change) => {
    change();
    const baseline = await GitBaseline.take(root, env);
    expect(await told(baseline, 'a.txt', 'never.txt')).toEqual(['one\n', 'absent']);
    expect(await told(baseline, 'sub/b.txt')).toEqual([name === 'a sparse index' ? 'unknown' : 'two\n']);
    expect(await baseline!.changedNow()).toEqual([]);
  });

  it('copies a part of an index where links are not allowed, as on Windows', async () => {
    await copyPart(root, join(root, 'a.txt'), join(home, 'copied'), silentLogger);
    await copyPart(root, join(root, 'gone'), join(home, 'gone'), silentLogger);
    expect([readFileSync(join(home, 'copied'), 'utf8'), existsSync(join(home, 'gone'))]).toEqual(['one\n', false]);
  });

  it.each<[program: string, answer: string, isOne: boolean]>([
    ['/usr/bin/git', 'exit 2', true],
    ['/usr/bin/git', 'echo /Library/Developer/CommandLineTools', false],
    ['/opt/homebrew/bin/git', 'exit 2', false],
  ])('%s of macOS, where `xcode-select` does %j, only offers to install git: %s', async (program, answer, isOne) => {
    const selector = join(home, 'xcode-select');
    writeFileSync(selector, `#!/bin/sh\n${answer}\n`);
    chmodSync(selector, 0o755);
    expect(await isPlaceholder(program, selector)).toBe(isOne);
  });

  it('knows a repository with long names for its objects', async () => {
    rmSync(join(root, '.git'), { recursive: true });
    git('init', '-q', '--object-format=sha256');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    expect(await told(await GitBaseline.take(root, env), ...both)).toEqual(known);
  });

  it('looks at no share that a repository names', async () => {
    const shared = realpathSync(join(root, '.git'));
    const linked = join(root, '../linked');
    mkdirSync(join(linked, 'own'), { recursive: true });
    writeFileSync(join(linked, '.git'), 'gitdir: own\n');
    writeFileSync(join(linked, 'own/commondir'), `${shared}\n`);
    const common = async () => (await findGitFolders(linked, silentLogger))?.common;
    expect(await common()).toBe(shared);
    // A second slash in front names a server on Windows, and is nothing here.
    const { platform } = process;
    for (const [file, text] of [
      ['own/commondir', `/${shared}\n`],
      ['.git', `gitdir: /${join(linked, 'own')}\n`],
    ] as const) {
      writeFileSync(join(linked, file), text);
      expect(await common(), file).toBe(shared);
      try {
        Object.defineProperty(process, 'platform', { value: 'win32' });
        expect(await common(), file).toBeUndefined();
      } finally {
        Object.defineProperty(process, 'platform', { value: platform });
      }
      writeFileSync(join(linked, 'own/commondir'), `${shared}\n`);
    }
    for (const [named, expected] of [
      [shared, shared],
      [`/${shared}`, undefined],
      [`\\\\server\\share`, undefined],
    ] as const)
      expect(await namedFolder(root, named, 'win32')).toBe(expected);
  });

  it('says nothing of a repository whose files are elsewhere, that has none, or whose format is unknown', async () => {
    for (const [key, value] of [
      ['core.worktree', base],
      ['core.bare', 'true'],
      ['extensions.new', '1'],
    ] as const) {
      git('config', 'core.repositoryformatversion', '1');
      git('config', key, value);
      expect(await GitBaseline.take(root, env), key).toBeUndefined();
      execFileSync('git', ['config', '--file', join(root, '.git/config'), '--unset', key]);
    }
    expect(await told(await GitBaseline.take(root, env), ...both)).toEqual(known);
    renameSync(join(root, '.git/refs'), join(root, '.git/reftable'));
    expect(await GitBaseline.take(root, env)).toBeUndefined();
  });

  it('ignores what the repository and the user ignore, and knows links for what they are', async () => {
    put('../home/.gitconfig', '[core]\n\texcludesFile = ~/mine\n');
    put('../home/mine', '*.mine\n');
    put('.git/info/exclude', '*.here\n');
    for (const name of ['x.mine', 'x.here', 'sub/x.seen']) put(name, 'x');
    symlinkSync('a.txt', join(root, 'link'));
    git('add', 'link');
    git('commit', '-q', '-m', 'second');
    const baseline = await GitBaseline.take(root, env);
    expect(baseline!.changedFiles).toEqual([join(root, 'sub/x.seen')]);
    expect(baseline!.ignored!.map(({ path }) => path).sort()).toEqual([join(root, 'x.here'), join(root, 'x.mine')]);
    expect((await GitBaseline.take(join(root, 'sub'), env))!.ignored).toEqual([]);
    expect(await told(baseline, 'link')).toEqual(['unknown']);
  });

  it('reads commits with their parents and files', async () => {
    put('sub/b.txt', 'three\n');
    git('rm', '-q', 'a.txt');
    git('commit', '-q', '-a', '-m', 'second');
    const [hash, parent] = git('log', '--format=%H').trim().split('\n');
    const commits = (await PinnedCommits.open(join(root, 'sub'), { env }))!;
    expect(await commits.head()).toEqual({ branch: 'main', commit: hash });
    const { parents, commitDate } = await commits.getCommit(hash!);
    expect([parents, Math.abs(commitDate!.getTime() - Date.now()) < 60_000]).toEqual([[parent], true]);
    const shown = (name: string, ref: string) => commits.show(ref, join(root, name));
    expect([
      await shown('sub/b.txt', hash!),
      await shown('sub/b.txt', parent!),
      await shown('a.txt', parent!),
      await shown('a.txt', hash!),
    ]).toEqual(['three\n', 'two\n', 'one\n', undefined]);
    for (const ref of ['0'.repeat(40), 'HEAD', '--all']) await expect(shown('a.txt', ref)).rejects.toThrow();
  });

  it('does not take for absent what a partial clone has not fetched', async () => {
    const origin = root;
    git('config', 'uploadpack.allowFilter', 'true');
    root = join(origin, '../partial');
    gitIn(base, 'clone', '-q', '--filter=blob:none', `file://${origin}`, root);
    git('commit', '-q', '--allow-empty', '-m', 'mine');
    const oid = git('rev-parse', 'HEAD:a.txt').trim();
    for (const name of readdirSync(join(root, '.git/objects/pack')))
      if (!name.endsWith('.promisor')) chmodSync(join(root, '.git/objects/pack', name), 0o644);
    expect(oid).toHaveLength(40);
    rmSync(origin, { recursive: true });
    // Its blobs came with the checkout in packs of their own; without them only trees are left.
    const packs = join(root, '.git/objects/pack');
    for (const name of readdirSync(packs).filter((file) => file.endsWith('.idx'))) {
      const pack = join(packs, name.replace(/idx$/, 'pack'));
      if (!/ commit /.test(execFileSync('git', ['verify-pack', '-v', pack], { encoding: 'utf8' })))
        for (const end of ['pack', 'idx', 'promisor', 'rev']) rmSync(pack.replace(/pack$/, end), { force: true });
    }
    expect(await told(await GitBaseline.take(root, env), ...both)).toEqual(['unknown', 'unknown', 'absent']);
  });
});
