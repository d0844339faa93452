import * as assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { folderBehind } from '../../../src/host/takeOver/moveSession';
import { worktreeChanges } from '../../../src/host/takeOver/worktreeChanges';
import { silentLogger } from '../../../src/base/log';
import { removeWorktree, whyItStays } from '../../../src/host/worktrees/removeWorktree';
import type { Worktree } from '../../../src/host/worktrees/worktree';
import { Worktrees } from '../../../src/host/worktrees/worktrees';
import { until } from './desk';
import { MemoryState } from '../../fakes/memoryState';
import { gitIn, put, text, WorktreeDesk } from './worktreeDesk';

/* Git worktrees of real repositories, by VS Code's Git extension: how they come and go. */

const unused = { isBusy: () => false, pending: () => 0 };

describe('worktrees', () => {
  let desk: WorktreeDesk;
  let top: string;
  let root: string;
  let worktrees: Worktrees;
  let git: WorktreeDesk['git'];
  let make: WorktreeDesk['make'];

  beforeEach(async function () {
    desk = new WorktreeDesk();
    ({ top, root, worktrees, git, make } = desk);
    if (!(await desk.begin())) this.skip();
  });
  afterEach(() => desk.clear());

  /** Commits a repository with one file as the submodule `sub`. */
  const addSubmodule = () => {
    const other = join(top, 'other');
    mkdirSync(other);
    gitIn(other, 'init', '-q');
    put(other, 'o.txt', 'o\n');
    gitIn(other, 'add', '.');
    gitIn(other, 'commit', '-qm', 'other');
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'sub');
    git('commit', '-qm', 'with a submodule');
  };

  describe('are made', () => {
    it('beside the repository, on a branch named after the prompt, with the folder that corresponds', async () => {
      const { worktree, cwd } = await make('Fix the inner part', join(root, 'inner'));
      assert.equal(worktree.branch, 'fix-the-inner-part');
      assert.equal(worktree.path, join(top, 'project.worktrees', 'fix-the-inner-part'));
      assert.equal(cwd, join(worktree.path, 'inner'));
      assert.equal(worktree.base, git('rev-parse', 'HEAD'));
      assert.equal(gitIn(worktree.path, 'branch', '--show-current'), worktree.branch);
      assert.deepEqual(worktrees.at(cwd), worktree);
      assert.equal(worktrees.at(root), undefined);
    });

    it('from a commit of just before, of which the Git extension does not know yet', async () => {
      for (const text of ['1\n', '2\n', '3\n']) {
        put(root, 'a.txt', text);
        git('commit', '-qam', text);
        const { worktree } = await make();
        assert.equal(worktree.base, git('rev-parse', 'HEAD'));
        assert.equal(readFileSync(join(worktree.path, 'a.txt'), 'utf8'), text);
      }
    });

    it('with other names where the first one is taken, also two at once', async () => {
      git('branch', 'Fix-It');
      const made = await Promise.all([make(), make()]);
      assert.deepEqual(
        made.map(({ worktree }) => worktree.branch),
        ['fix-it-2', 'fix-it-3'],
      );
    });

    it('from a detached head and from another worktree', async () => {
      git('checkout', '-q', '--detach');
      const { worktree } = await make();
      await worktrees.open(worktree.path);
      await until('the worktree to be known', () => worktrees.repositoryOf(worktree.path) !== undefined);
      const second = await make('Second', worktree.path);
      assert.equal(second.worktree.repository, worktree.path);
      assert.ok(existsSync(join(second.worktree.path, 'a.txt')));
    });

    it('with the hooks of the repository, whose failure is told in Git’s words', async () => {
      const hook = join(root, '.git/hooks/post-checkout');
      mkdirSync(dirname(hook), { recursive: true });
      writeFileSync(hook, '#!/bin/sh\necho hook says no >&2\nexit 1\n');
      chmodSync(hook, 0o755);
      await assert.rejects(make(), /hook says no/);
      assert.deepEqual(worktrees.all, []);
      // Git leaves the worktree of a hook that fails.
      assert.equal(git('worktree', 'list', '--porcelain').match(/^worktree /gm)?.length, 1);
      assert.equal(git('branch', '--format=%(refname:short)'), 'main');
      assert.equal(existsSync(join(top, 'project.worktrees', 'fix-it')), false);
    });

    it('and found at the next start if the host was killed meanwhile', async () => {
      const state = new MemoryState();
      const path = join(top, 'left');
      await state.update('parley.plannedWorktree', {
        repository: root,
        branch: 'left',
        base: git('rev-parse', 'HEAD'),
      });
      git('worktree', 'add', '-q', '-b', 'left', path);
      const next = new Worktrees(state, silentLogger);
      await next.start();
      assert.deepEqual(
        next.all.map((worktree) => [worktree.path, worktree.branch, worktree.repository]),
        [[path, 'left', root]],
      );
      next.dispose();
      // Where nothing was made yet, nothing is found.
      await state.update('parley.plannedWorktree', {
        repository: root,
        branch: 'never',
        base: git('rev-parse', 'HEAD'),
      });
      const last = new Worktrees(state, silentLogger);
      await last.start();
      assert.deepEqual([last.all.length, state.get('parley.plannedWorktree')], [1, undefined]);
      last.dispose();
    });

    it('not without a repository or a commit, and the choice is not offered then', async () => {
      const bare = join(top, 'bare.git');
      const fresh = join(top, 'fresh');
      const none = join(top, 'none');
      for (const folder of [bare, fresh, none]) mkdirSync(folder);
      gitIn(bare, 'init', '-q', '--bare');
      gitIn(fresh, 'init', '-q');
      for (const folder of [bare, fresh, none]) {
        await worktrees.open(folder).catch(() => undefined);
        assert.equal(worktrees.placeOf('A', folder), undefined, folder);
        await assert.rejects(make('x', folder), /no repository with a commit/);
      }
      assert.equal(worktrees.placeOf('A', root), 'folder');
      await worktrees.choose('A', 'worktree');
      assert.equal(worktrees.placeOf('A', root), 'worktree');
      assert.equal(worktrees.placeOf('B', root), 'folder');
    });

    it('with the files that git.worktreeIncludeFiles names, which are no changes to take over', async () => {
      put(root, '.gitignore', '.env\n*.log\nlib\n');
      put(root, '.env', 'KEY=1\n');
      put(root, 'x.log', 'log\n');
      for (let i = 0; i < 300; i++) put(root, `lib/${i}.bin`, Buffer.alloc(100_000, i));
      git('add', '.');
      git('commit', '-qm', 'ignores');
      // Git does not ignore it, so it is not copied.
      put(root, 'fresh.env', 'KEY=2\n');
      await worktrees.repositoryOf(root)!.status();
      const config = vscode.workspace.getConfiguration('git');
      await config.update('worktreeIncludeFiles', ['*.env', 'lib/**'], vscode.ConfigurationTarget.Global);
      try {
        const { worktree } = await make();
        // The Git extension does not wait for the copy, so Parley does.
        assert.equal(text(worktree.path, '.env'), 'KEY=1\n');
        for (const name of Array.from({ length: 300 }, (_, i) => `lib/${i}.bin`))
          assert.equal(statSync(join(worktree.path, name)).size, 100_000);
        assert.equal(existsSync(join(worktree.path, 'fresh.env')), false);
        assert.equal(existsSync(join(worktree.path, 'x.log')), false);
        assert.deepEqual(await worktreeChanges(worktree, worktrees), { changes: [], unread: [] });
        assert.equal(await whyItStays(worktree, worktrees, unused), undefined);
      } finally {
        await config.update('worktreeIncludeFiles', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('of one folder of several, beside which the others stay in reach', async () => {
      const other = join(top, 'other');
      const inner = join(root, 'inner');
      const { worktree, cwd } = await make('Inner', inner);
      assert.deepEqual(worktrees.reach(cwd, [inner, root, other]), [cwd, other]);
      assert.equal(folderBehind(cwd, worktree, [other, inner]), inner);
      assert.equal(folderBehind(cwd, worktree, [other, root]), root);
      assert.equal(folderBehind(cwd, worktree, [other]), inner);
    });

    it('of a worktree of the user’s own, also of a bare repository', async () => {
      const bare = join(top, 'bare.git');
      const own = join(top, 'own');
      git('clone', '-q', '--bare', root, bare);
      gitIn(bare, 'worktree', 'add', '-q', own, 'main');
      await worktrees.open(own);
      await until('the repository to be known', () => worktrees.repositoryOf(own) !== undefined);
      assert.equal(worktrees.placeOf('A', own), 'folder');
      const { worktree } = await make('Fix it', own);
      assert.deepEqual(
        [worktree.path, worktree.repository, text(worktree.path, 'inner/b.txt')],
        [join(top, 'own.worktrees', 'fix-it'), own, 'b\n'],
      );
      assert.equal(await whyItStays(worktree, worktrees, unused), undefined);
      assert.equal(await removeWorktree(worktree, worktrees, unused), 'branchGone');
      assert.equal(existsSync(worktree.path), false);
    });

    it('of a submodule', async () => {
      addSubmodule();
      await worktrees.open(join(root, 'sub'));
      await until(
        'the submodule to be known',
        () => worktrees.repositoryOf(join(root, 'sub'))?.rootUri.fsPath === join(root, 'sub'),
      );
      const { worktree } = await make('Sub', join(root, 'sub'));
      assert.equal(worktree.repository, join(root, 'sub'));
      assert.equal(text(worktree.path, 'o.txt'), 'o\n');
    });
  });

  describe('are removed', () => {
    const remove = (worktree: Worktree) => removeWorktree(worktree, worktrees, unused);
    const why = (worktree: Worktree, use = unused) => whyItStays(worktree, worktrees, use);

    it('with a branch that has no commits of its own', async () => {
      const { worktree } = await make();
      assert.equal(await why(worktree), undefined);
      assert.equal(await remove(worktree), 'branchGone');
      assert.equal(existsSync(worktree.path), false);
      assert.equal(git('branch', '--format=%(refname:short)'), 'main');
      assert.deepEqual(worktrees.all, []);
    });

    it('but not a branch with commits', async () => {
      const { worktree } = await make();
      put(worktree.path, 'a.txt', 'changed\n');
      gitIn(worktree.path, 'commit', '-qam', 'work');
      assert.equal(await why(worktree), undefined);
      assert.equal(await remove(worktree), 'branchStays');
      assert.match(git('branch', '--format=%(refname:short)'), /fix-it/);
    });

    it('not while something in it would be lost', async () => {
      const { worktree } = await make();
      assert.match((await why(worktree, { ...unused, isBusy: () => true }))!, /A session works in it/);
      assert.match((await why(worktree, { ...unused, pending: () => 2 }))!, /2 files have changes/);
      put(worktree.path, 'new.txt', 'new\n');
      assert.match((await why(worktree))!, /1 file is not committed/);
      put(worktree.path, 'a.txt', 'changed\n');
      assert.match((await why(worktree))!, /2 files are not committed/);
      assert.ok(existsSync(worktree.path));
    });

    it('not with commits that are on no branch, even by force', async () => {
      const { worktree } = await make();
      gitIn(worktree.path, 'checkout', '-q', '--detach');
      put(worktree.path, 'a.txt', 'changed\n');
      gitIn(worktree.path, 'commit', '-qam', 'loose');
      await assert.rejects(removeWorktree(worktree, worktrees, unused, true), /on no branch/);
      assert.equal(text(worktree.path, 'a.txt'), 'changed\n');
    });

    it('not while it is locked, which is told in Git’s words', async () => {
      const { worktree } = await make();
      git('worktree', 'lock', '--reason', 'on a stick', worktree.path);
      await assert.rejects(remove(worktree), /locked/);
      assert.ok(existsSync(worktree.path));
      assert.equal(worktrees.all.length, 1);
    });

    it('not with submodules that were initialized in it, whose commits may be only there', async () => {
      addSubmodule();
      await worktrees.repositoryOf(root)!.status();
      const [{ worktree: plain }, { worktree: filled }] = [await make('Plain'), await make('Filled')];
      gitIn(filled.path, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
      assert.equal(await why(plain), undefined);
      await remove(plain);
      assert.match((await why(filled))!, /submodules/);
      await assert.rejects(removeWorktree(filled, worktrees, unused, true), /submodules/);
      assert.ok(existsSync(join(filled.path, 'sub/o.txt')));
    });

    it('where the user has removed the folder, or the worktree', async () => {
      const [{ worktree: gone }, { worktree: removed }] = [await make('Gone'), await make('Removed')];
      rmSync(gone.path, { recursive: true });
      git('worktree', 'remove', removed.path);
      for (const worktree of [gone, removed]) {
        assert.equal(await why(worktree), undefined);
        await remove(worktree);
      }
      assert.deepEqual(worktrees.all, []);
      assert.equal(git('worktree', 'list').split('\n').length, 1);
    });

    it('from the list where the repository is gone, too', async () => {
      const { worktree } = await make();
      renameSync(root, join(top, 'moved'));
      rmSync(worktree.path, { recursive: true });
      await remove(worktree).catch(() => undefined);
      assert.deepEqual(worktrees.all, []);
    });
  });

  it('have new files that the Git extension does not list', async () => {
    put(root, '.gitignore', 'ignored.txt\n');
    git('add', '.');
    git('commit', '-qm', 'ignores');
    const config = vscode.workspace.getConfiguration('git');
    await config.update('untrackedChanges', 'hidden', vscode.ConfigurationTarget.Global);
    try {
      const { worktree } = await make();
      for (const name of ['made/new.txt', 'ü.txt', 'ignored.txt']) put(worktree.path, name, 'new\n');
      assert.match((await whyItStays(worktree, worktrees, unused))!, /2 files are not committed/);
      const { changes, unread } = await worktreeChanges(worktree, worktrees);
      assert.deepEqual([changes.map(({ label }) => label), unread], [['made/new.txt', 'ü.txt'], []]);
    } finally {
      await config.update('untrackedChanges', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
