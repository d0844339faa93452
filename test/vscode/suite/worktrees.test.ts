import * as assert from 'node:assert/strict';
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
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/log';
import { absent } from '../../../src/changes/content';
import { contentOf, standingContent } from '../../../src/host/files/readContent';
import { commitActs } from '../../../src/host/takeOver/commitActs';
import { contentOfText } from '../../../src/host/storage/contentInHand';
import { folderBehind, moveToWorktree } from '../../../src/host/takeOver/moveSession';
import { overlapsOf, takeOverChanges } from '../../../src/host/takeOver/takeOverChanges';
import { worktreeChanges } from '../../../src/host/takeOver/worktreeChanges';
import { removeWorktree, whyItStays } from '../../../src/host/worktrees/removeWorktree';
import type { Worktree } from '../../../src/host/worktrees/worktree';
import { Worktrees } from '../../../src/host/worktrees/worktrees';
import { MemoryState } from '../../fakes/memoryState';
import { Desk, sessionId, until } from './desk';

/* Git worktrees of real repositories, by VS Code's Git extension. */

const unused = { isBusy: () => false, pending: () => 0 };

describe('worktrees', () => {
  let desk: Desk;
  let top: string;
  let root: string;
  let worktrees: Worktrees;

  const gitIn = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const git = (...args: string[]) => gitIn(root, ...args);
  const put = (folder: string, name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  const text = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

  beforeEach(async function () {
    desk = new Desk();
    top = realpathSync(mkdtempSync(join(desk.outside, 'worktrees-')));
    root = join(top, 'project');
    mkdirSync(root);
    git('init', '-q', '-b', 'main');
    put(root, 'a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    put(root, 'inner/b.txt', 'b\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    worktrees = new Worktrees(new MemoryState(), silentLogger);
    // The Git extension of VS Code 1.106 makes no worktrees, and Parley offers none there.
    if (!(await worktrees.open(root))?.createWorktree) this.skip();
    await until('the repository to be known', () => worktrees.repositoryOf(root) !== undefined);
  });
  afterEach(async () => {
    worktrees.dispose();
    await desk.clear();
  });

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

  const make = async (words = 'Fix it', folder = root) => worktrees.make(folder, words);

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
      assert.equal(await removeWorktree(worktree, worktrees), 'branchGone');
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
    const remove = (worktree: Worktree) => removeWorktree(worktree, worktrees);
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
      await assert.rejects(removeWorktree(worktree, worktrees, true), /on no branch/);
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
      await assert.rejects(removeWorktree(filled, worktrees, true), /submodules/);
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

  describe('are taken over', () => {
    const takeAll = async (worktree: Worktree, overlap: 'mine' | 'theirs' | 'both' = 'mine', only?: string) => {
      const { changes, unread } = await worktreeChanges(worktree, worktrees);
      assert.deepEqual(unread, []);
      const chosen = changes
        .filter(({ label }) => only === undefined || label === only)
        .map((change) => ({ change, edits: change.edits }));
      const overlapping = (await overlapsOf(chosen)).size;
      return { overlapping, ...(await takeOverChanges(chosen, () => overlap, sessionId, desk.review)) };
    };

    it('committed or not, new, deleted and renamed, and all comes back', async () => {
      put(root, 'gone.txt', 'gone\n');
      put(root, 'old name.txt', 'a file\nthat is\nrenamed\n');
      put(root, 'pixel.bin', Buffer.from([0, 1, 2, 255]));
      git('add', '.');
      git('commit', '-qm', 'more');
      await worktrees.repositoryOf(root)!.status();
      const { worktree } = await make();
      put(worktree.path, 'a.txt', 'ONE\ntwo\nthree\nfour\nfive\n');
      gitIn(worktree.path, 'commit', '-qam', 'one');
      put(worktree.path, 'a.txt', 'ONE\ntwo\nthree\nfour\nFIVE\n');
      put(worktree.path, 'made/new.txt', 'new\n');
      put(worktree.path, 'pixel.bin', Buffer.from([0, 9, 9, 255]));
      rmSync(join(worktree.path, 'gone.txt'));
      gitIn(worktree.path, 'mv', 'old name.txt', 'new name.txt');
      const before = git('status', '--porcelain');
      const { taken, left } = await takeAll(worktree);
      assert.deepEqual(left, []);
      assert.deepEqual(taken, ['a.txt', 'gone.txt', 'made/new.txt', 'new name.txt', 'old name.txt', 'pixel.bin']);
      assert.equal(text(root, 'a.txt'), 'ONE\ntwo\nthree\nfour\nFIVE\n');
      assert.deepEqual(readFileSync(join(root, 'pixel.bin')), Buffer.from([0, 9, 9, 255]));
      assert.equal(existsSync(join(root, 'gone.txt')), false);
      assert.deepEqual((await takeAll(worktree)).taken, []);
      await desk.shownReview.undo({ sessionId });
      assert.equal(git('status', '--porcelain'), before);
      assert.equal(git('diff'), '');
    });

    it('beside what the user has changed, and unsaved text stays unsaved', async () => {
      const { worktree } = await make();
      put(worktree.path, 'a.txt', 'one\ntwo\nthree\nfour\nFIVE\n');
      const document = await vscode.workspace.openTextDocument(join(root, 'a.txt'));
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), 'mine\n');
      await vscode.workspace.applyEdit(edit);
      const { taken, overlapping } = await takeAll(worktree);
      assert.equal(overlapping, 0);
      assert.deepEqual(taken, ['a.txt']);
      assert.equal(document.getText(), 'mine\none\ntwo\nthree\nfour\nFIVE\n');
      assert.ok(document.isDirty);
      assert.equal(text(root, 'a.txt'), 'one\ntwo\nthree\nfour\nfive\n');
      await desk.shownReview.undo({ sessionId });
      assert.equal(document.getText(), 'mine\none\ntwo\nthree\nfour\nfive\n');
    });

    it('where both have changed a line, as the user wants, and Undo brings theirs back', async () => {
      const { worktree } = await make();
      put(worktree.path, 'a.txt', 'one\nTHEIRS\nthree\nfour\nFIVE\n');
      const mine = 'one\nMINE\nthree\nfour\nfive\n';
      for (const [overlap, expected] of [
        ['mine', 'one\nMINE\nthree\nfour\nFIVE\n'],
        ['theirs', 'one\nTHEIRS\nthree\nfour\nFIVE\n'],
        ['both', 'one\nMINE\nTHEIRS\nthree\nfour\nFIVE\n'],
      ] as const) {
        put(root, 'a.txt', mine);
        const { overlapping } = await takeAll(worktree, overlap);
        assert.equal(overlapping, 1);
        assert.equal(text(root, 'a.txt'), expected);
        await desk.shownReview.undo({ sessionId });
        assert.equal(text(root, 'a.txt'), mine);
      }
    });

    it('with the execute permission, alone or with lines, and Undo takes it back', async () => {
      const names = ['alone.sh', 'bytes.bin', 'lines.sh', 'off.sh', 'both.sh', 'same.sh', 'mine.sh'];
      for (const name of names) put(root, name, name.endsWith('.bin') ? Buffer.from([0, 1, 255]) : 'one\ntwo\n');
      chmodSync(join(root, 'off.sh'), 0o755);
      git('add', '.');
      git('commit', '-qm', 'scripts');
      await worktrees.repositoryOf(root)!.status();
      const { worktree } = await make();
      const modes = (folder: string) => names.filter((name) => (statSync(join(folder, name)).mode & 0o100) !== 0);
      for (const name of names) chmodSync(join(worktree.path, name), name === 'off.sh' ? 0o644 : 0o755);
      for (const name of ['lines.sh', 'both.sh']) put(worktree.path, name, 'one\nTWO\n');
      gitIn(worktree.path, 'commit', '-qam', 'programs');
      // The user has changed the same permission, and in the last one another one with it.
      for (const name of ['same.sh', 'mine.sh']) chmodSync(join(root, name), 0o700);
      put(worktree.path, 'mine.sh', 'one\nTWO\n');
      chmodSync(join(worktree.path, 'mine.sh'), 0o644);
      put(root, 'both.sh', 'zero\none\ntwo\n');
      chmodSync(join(root, 'both.sh'), 0o600);
      const before = git('diff');
      const { taken, same, left } = await takeAll(worktree);
      assert.deepEqual(
        [taken.toSorted(), same, left],
        [['alone.sh', 'both.sh', 'bytes.bin', 'lines.sh', 'mine.sh', 'off.sh'], ['same.sh'], []],
      );
      assert.deepEqual(modes(root), ['alone.sh', 'bytes.bin', 'lines.sh', 'both.sh', 'same.sh', 'mine.sh']);
      assert.equal(statSync(join(root, 'both.sh')).mode & 0o777, 0o700);
      assert.equal(text(root, 'both.sh'), 'zero\none\nTWO\n');
      const rows = desk.review.tracked(sessionId).map(({ path, note, beside, hunks }) => {
        const words = [note, beside].filter((word) => word !== undefined);
        return [path.slice(root.length + 1), ...words, hunks.length];
      });
      assert.deepEqual(rows.toSorted(), [
        ['alone.sh', 'Added execute permission', 0],
        ['both.sh', 'Added execute permission', 1],
        ['bytes.bin', 'Added execute permission', 0],
        ['lines.sh', 'Added execute permission', 1],
        ['mine.sh', 1],
        ['off.sh', 'Removed execute permission', 0],
      ]);
      assert.deepEqual((await takeAll(worktree)).taken, []);
      await desk.shownReview.undo({ sessionId });
      assert.equal(git('diff'), before);
      assert.equal(statSync(join(root, 'both.sh')).mode & 0o777, 0o600);
    });

    it('not over a file that changed as a whole in both places', async () => {
      const { worktree } = await make();
      put(worktree.path, 'made.txt', 'theirs\n');
      put(root, 'made.txt', 'mine\n');
      rmSync(join(worktree.path, 'a.txt'));
      put(root, 'a.txt', 'mine\n');
      const { taken, left } = await takeAll(worktree);
      assert.deepEqual(taken, []);
      assert.deepEqual(
        left.map(({ label }) => label),
        ['a.txt', 'made.txt'],
      );
      assert.equal(text(root, 'a.txt'), 'mine\n');
      assert.equal(text(root, 'made.txt'), 'mine\n');
    });

    it('through the filters of the repository, as those of large files are', async () => {
      git('config', 'filter.large.clean', "sed 's/^/pointer to /'");
      git('config', 'filter.large.smudge', "sed 's/^pointer to //'");
      put(root, '.gitattributes', '*.big filter=large\n');
      put(root, 'a.big', 'one\ntwo\nthree\n');
      git('add', '.');
      git('commit', '-qm', 'large');
      assert.equal(git('show', 'HEAD:a.big').split('\n')[0], 'pointer to one');
      await worktrees.repositoryOf(root)!.status();
      const { worktree } = await make();
      assert.equal(text(worktree.path, 'a.big'), 'one\ntwo\nthree\n');
      put(worktree.path, 'a.big', 'one\ntwo\nTHREE\n');
      const { taken, overlapping } = await takeAll(worktree);
      assert.deepEqual([taken, overlapping, text(root, 'a.big')], [['a.big'], 0, 'one\ntwo\nTHREE\n']);
      await desk.shownReview.undo({ sessionId });
      assert.equal(git('status', '--porcelain'), '');
    });

    it('only what the worktree did, where the repository went on and was merged', async () => {
      const { worktree } = await make();
      put(root, 'inner/b.txt', 'b of main\n');
      git('commit', '-qam', 'main goes on');
      put(worktree.path, 'a.txt', 'ONE\ntwo\nthree\nfour\nfive\n');
      gitIn(worktree.path, 'commit', '-qam', 'work');
      gitIn(worktree.path, 'merge', '-q', 'main', '-m', 'merge');
      const { changes } = await worktreeChanges(worktree, worktrees);
      assert.deepEqual(
        changes.map(({ label }) => label),
        ['a.txt'],
      );
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

  it('get what is pending of a session that moves there, bytes as well as lines', async () => {
    const old = Buffer.from([0, 1, 2, 255]);
    const large = Buffer.alloc(2 * 1024 * 1024, 0);
    put(root, 'pixel.bin', old);
    put(root, 'large.bin', large);
    put(root, 'gone.bin', old);
    git('add', '.');
    git('commit', '-qm', 'bytes');
    await worktrees.repositoryOf(root)!.status();
    const before = git('status', '--porcelain');
    const write = async (name: string, bytes: Buffer | undefined) => {
      const path = join(root, name);
      const next = bytes === undefined ? absent : await contentOf(path, bytes, undefined, bytes.length);
      await desk.review.write(sessionId, path, await standingContent(path), next);
    };
    const fresh = Buffer.from([0, 9, 255]);
    const changed = Buffer.concat([large, fresh]);
    await write('pixel.bin', fresh);
    await write('new.bin', fresh);
    await write('large.bin', changed);
    await write('gone.bin', undefined);
    await write('a.txt', Buffer.from('ONE\ntwo\nthree\nfour\nfive\n'));
    for (const name of ['a.txt', 'inner/b.txt']) {
      const now = await standingContent(join(root, name));
      await desk.review.write(sessionId, join(root, name), now, { ...now, mode: 0o755 } as typeof now);
    }
    const notices: { severity: string; detail: string }[] = [];
    const live = {
      id: sessionId,
      title: 'Move it',
      cwd: root,
      roots: [root],
      moveTo: async (cwd: string) => void (live.cwd = cwd),
      session: { notify: (notice: (typeof notices)[0]) => notices.push(notice) },
    };
    const services = { worktrees, review: desk.review, contents: desk.contents.contents };
    await moveToWorktree(live as never, services as never);
    assert.equal(notices[0]?.severity, 'info', notices[0]?.detail);
    const there = worktrees.at(live.cwd)!.path;
    for (const [name, bytes] of [
      ['pixel.bin', fresh],
      ['new.bin', fresh],
      ['large.bin', changed],
    ] as const)
      assert.ok(readFileSync(join(there, name)).equals(bytes), name);
    assert.equal(existsSync(join(there, 'gone.bin')), false);
    assert.equal(text(there, 'a.txt'), 'ONE\ntwo\nthree\nfour\nfive\n');
    for (const name of ['a.txt', 'inner/b.txt']) assert.equal(statSync(join(there, name)).mode & 0o111, 0o111, name);
    assert.equal(git('status', '--porcelain'), before);
    // They wait for review there, and are undone there.
    await desk.shownReview.undo({ sessionId });
    assert.equal(gitIn(there, 'status', '--porcelain'), '');
  });

  it('get what is pending, and what the user types meanwhile stays in their file', async () => {
    await desk.review.write(sessionId, join(root, 'a.txt'), await standingContent(join(root, 'a.txt')), absent);
    const inner = join(root, 'inner/b.txt');
    await desk.review.write(sessionId, inner, await standingContent(inner), contentOfText('agent\n'));
    const live = {
      id: sessionId,
      title: 'Move it',
      cwd: root,
      roots: [root],
      moveTo: async (cwd: string) => void (live.cwd = cwd),
      session: { notify: ({ detail }: { detail: string }) => void (told = detail) },
    };
    let told = '';
    const review = new Proxy(desk.review, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target) as unknown;
        if (name === 'write') put(root, 'inner/b.txt', 'agent\ntyped\n');
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await moveToWorktree(live as never, { worktrees, review, contents: desk.contents.contents } as never);
    assert.equal(text(worktrees.at(live.cwd)!.path, 'inner/b.txt'), 'agent\n');
    assert.equal(text(root, 'inner/b.txt'), 'agent\ntyped\n');
    assert.match(told, /inner\/b\.txt: its changes stay here\. the file was changed/);
    assert.equal(text(root, 'a.txt'), 'one\ntwo\nthree\nfour\nfive\n');
  });

  it('have commits that the Git extension merges and picks into the repository', async () => {
    git('config', 'user.name', 'A');
    git('config', 'user.email', 'a@example.com');
    const { worktree } = await make();
    for (const name of ['one', 'two']) {
      put(worktree.path, `${name}.txt`, `${name}\n`);
      gitIn(worktree.path, 'add', '.');
      gitIn(worktree.path, 'commit', '-qm', name);
    }
    const actOf = async (label: RegExp) => {
      const found = (await commitActs(worktree, worktrees)).find((item) => label.test(item.label));
      assert.ok(found, String(label));
      return found;
    };
    const picking = (await actOf(/Cherry-Pick/)).act();
    const first = git('rev-parse', 'HEAD');
    await until('the newest commit to be picked', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return git('rev-parse', 'HEAD') !== first;
    });
    await picking;
    assert.deepEqual([existsSync(join(root, 'one.txt')), text(root, 'two.txt')], [false, 'two\n']);
    await (await actOf(/Merge into main/)).act();
    assert.equal(text(root, 'one.txt'), 'one\n');
    assert.deepEqual(await commitActs(worktree, worktrees), []);
  });
});
