import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { GitBaselines } from '../../../src/node/gitBaselines';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-git-nested-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let at: string;
/** `$1` is the folder of the case. */
const sh = (script: string) =>
  execFileSync(
    'sh',
    [
      '-ec',
      `g() { git -c user.name=A -c user.email=a@example.com -c protocol.file.allow=always -c init.defaultBranch=main "$@"; }; cd "$1"; ${script}`,
      'sh',
      at,
    ],
    { stdio: 'pipe', env: { ...process.env, HOME: at, GIT_CONFIG_NOSYSTEM: '1' } },
  );
const env = () => ({ PATH: process.env['PATH'], HOME: at });
const library =
  'mkdir lib; cd lib; printf "lib\\n" > l.txt; printf "*.tmp\\n" > .gitignore; g init -q; g add .; g commit -qm l; cd ..';
const project = 'mkdir w; cd w; printf "main\\n" > m.txt; g init -q; g add .; g commit -qm m';

/**
 * How repositories are put into each other, and what is known of files in `w`. A script ends in the folder `w`, unless
 * `root` names another.
 */
const layouts: Record<
  string,
  { readonly make: string; readonly root?: string; readonly after?: string; readonly known: Record<string, string> }
> = {
  'a submodule': {
    make: `${library}; ${project}; g submodule add -q ../lib sub; g commit -qm s`,
    known: { 'm.txt': 'main\n', 'sub/l.txt': 'lib\n', 'sub/new.txt': 'absent', 'sub/old.tmp': 'absent' },
  },
  'a submodule of a submodule': {
    make: `${library}; mkdir mid; cd mid; g init -q; g submodule add -q ../lib deep; g commit -qm d; cd ..; ${project}; g submodule add -q ../mid sub; g submodule update -q --init --recursive; g commit -qm s`,
    known: {
      'sub/deep/l.txt': 'lib\n',
      'sub/.gitmodules': '[submodule "deep"]\n\tpath = deep\n\turl = ../lib\n',
      'sub/deep/new.txt': 'absent',
    },
  },
  'a submodule that was not fetched': {
    make: `${library}; ${project}; g submodule add -q ../lib sub; g commit -qm s; cd ..; g clone -q w clone`,
    root: 'clone',
    known: { 'm.txt': 'main\n', 'sub/l.txt': 'absent' },
  },
  'a submodule with changes of the user': {
    make: `${library}; ${project}; g submodule add -q ../lib sub; g commit -qm s; printf x > sub/l.txt`,
    known: { 'sub/l.txt': 'unknown', 'sub/.gitignore': '*.tmp\n' },
  },
  'an untracked repository': {
    make: `${project}; ${library}`,
    known: { 'm.txt': 'main\n', 'lib/l.txt': 'lib\n', 'lib/new.txt': 'absent' },
  },
  'an untracked repository in an untracked folder': {
    make: `${project}; mkdir -p a/b; cd a/b; ${library}; cd ../..`,
    known: { 'a/b/lib/l.txt': 'lib\n', 'a/new.txt': 'absent' },
  },
  'a worktree with a submodule and an untracked repository': {
    make: `${library}; mkdir src; cd src; printf "main\\n" > m.txt; g init -q; g add .; g submodule add -q ../lib sub; g commit -qm m; g worktree add -q ../w -b side; cd ../w; g submodule update -q --init; ${library.replace('mkdir lib; cd lib', 'mkdir own; cd own')}`,
    known: { 'm.txt': 'main\n', 'sub/l.txt': 'lib\n', 'own/l.txt': 'lib\n', 'own/new.txt': 'absent' },
  },
  'a worktree inside the repository': {
    make: `${project}; g worktree add -q trees/side -b side`,
    known: { 'm.txt': 'main\n', 'trees/side/m.txt': 'main\n' },
  },
  'repositories beside each other, with none around them': {
    make: `mkdir w; cd w; ${library}; ${library.replace('mkdir lib; cd lib', 'mkdir -p a/two; cd a/two')}`,
    known: { 'lib/l.txt': 'lib\n', 'a/two/l.txt': 'lib\n', 'a/two/new.txt': 'absent', 'outside.txt': 'missing' },
  },
  'a folder of a repository, with another one in it': {
    make: `${project}; mkdir in; cd in; ${library}; cd ..; printf x > x.txt`,
    root: 'w/in',
    known: { 'lib/l.txt': 'lib\n', 'new.txt': 'absent' },
  },
  'an empty repository': {
    make: `${project}; mkdir lib; cd lib; g init -q; printf x > old.txt; cd ..`,
    known: { 'lib/old.txt': 'unknown', 'lib/new.txt': 'absent' },
  },
  'a repository that the agent clones': {
    make: `${library}; ${project}`,
    after: 'g clone -q ../lib copy',
    known: { 'copy/l.txt': 'absent' },
  },
  'a submodule that the agent fetches': {
    make: `${library}; ${project}; g submodule add -q ../lib sub; g commit -qm s; cd ..; g clone -q w clone`,
    root: 'clone',
    after: 'g submodule update -q --init',
    known: { 'sub/l.txt': 'absent' },
  },
  'a submodule that the agent removes': {
    make: `${library}; ${project}; g submodule add -q ../lib sub; g commit -qm s`,
    after: 'rm -rf sub',
    known: { 'sub/l.txt': 'lib\n' },
  },
  'what only the rules of the working tree’s repository ignore': {
    make: `mkdir src; cd src; printf "main\\n" > m.txt; g init -q; g add .; g commit -qm m; echo own.txt > .git/info/exclude; g worktree add -q ../w -b side; cd ../w; printf x > own.txt`,
    known: { 'own.txt': 'unknown', 'other.txt': 'absent' },
  },
  'what only the user ignores everywhere': {
    make: `mkdir -p .config/git; echo "*.own" > .config/git/ignore; ${project}; printf x > a.own`,
    known: { 'a.own': 'unknown', 'b.own': 'absent' },
  },
  'a broken repository': {
    make: `${project}; mkdir -p lib/.git; printf "gitdir: ../nowhere\\n" > lib/x; g init -q lib; g -C lib add x; g -C lib commit -qm x; printf nothing > lib/.git/HEAD`,
    known: { 'm.txt': 'main\n', 'lib/x': 'unknown' },
  },
};

describe.skipIf(process.platform === 'win32')('what git knows of repositories in a folder', () => {
  beforeEach(() => {
    at = mkdtempSync(join(base, 'case-'));
  });

  it.each(Object.entries(layouts))('%s', async (_name, { make, root = 'w', after, known }) => {
    sh(make);
    const folder = join(at, root);
    const taken = await GitBaselines.take(folder, env());
    const resumed = await GitBaselines.resume(folder, env(), {}, JSON.parse(JSON.stringify(taken.state)));
    if (after) sh(`cd ${root}; ${after}`);
    for (const baselines of [taken, resumed]) {
      const contents = await baselines.contents(Object.keys(known).map((name) => join(folder, name)));
      const found = Object.keys(known).map((name) => {
        const content = contents.get(join(folder, name));
        return [name, content?.kind === 'blob' ? content.bytes.toString() : (content?.kind ?? 'missing')];
      });
      expect(Object.fromEntries(found)).toEqual(known);
    }
  });

  it('finds changed files and those of folders that are gone in the repository that has them', async () => {
    sh(`${library}; ${project}; g submodule add -q ../lib sub; g commit -qm s; mkdir in; cd in; ${library}`);
    const root = join(at, 'w');
    const baselines = await GitBaselines.take(root, env());
    expect(baselines.changedFiles).toEqual([]);
    sh('cd w; echo x > sub/l.txt; rm -r in');
    expect((await baselines.changedNow()).sort()).toEqual([join(root, 'sub/l.txt')]);
    expect((await baselines.filesUnder([join(root, 'sub')])).sort()).toEqual(
      ['sub/.gitignore', 'sub/l.txt'].map((name) => join(root, name)),
    );
  });

  it.runIf(process.env['PARLEY_LONG'])('finds more files of a folder than a call may have arguments', async () => {
    sh(
      `${project}; blob=$(g rev-parse HEAD:m.txt); seq 150000 | sed "s,.*,100644 $blob\tgone/&.txt," | g update-index --index-info; g commit -qm many`,
    );
    const root = join(at, 'w');
    const baselines = await GitBaselines.take(root, env());
    expect(await baselines.filesUnder([join(root, 'gone')])).toHaveLength(150_000);
    expect(await baselines.changedNow()).toHaveLength(150_000);
  });

  it('runs no program of an inner repository, and no git that lies in the outer one', async () => {
    sh(`${project}; ${library}`);
    const root = join(at, 'w');
    const ran = join(at, 'ran');
    const program = `#!/bin/sh\necho "$0" >> '${ran}'\nexit 1\n`;
    mkdirSync(join(root, 'bin'));
    for (const name of ['bin/git', 'evil.sh']) {
      writeFileSync(join(root, name), program);
      chmodSync(join(root, name), 0o755);
    }
    sh(
      `cd w/lib; git config core.fsmonitor '${root}/evil.sh'; git config filter.evil.clean '${root}/evil.sh'; git config filter.evil.smudge '${root}/evil.sh'; echo '*.txt filter=evil' > .git/info/attributes; touch -d @1 l.txt`,
    );
    const baselines = await GitBaselines.take(root, { ...env(), PATH: `${join(root, 'bin')}:${process.env['PATH']}` });
    await baselines.contents([join(root, 'lib/l.txt'), join(root, 'lib/.gitignore')]);
    await baselines.changedNow();
    expect(baselines.tops).toEqual([join(root, 'lib')]);
    expect(existsSync(ran)).toBe(false);
  });
});
