import * as assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { absent } from '../../../src/changes/content';
import { contentOf, standingContent } from '../../../src/host/files/readContent';
import { commitActs } from '../../../src/host/takeOver/commitActs';
import { contentOfText } from '../../../src/host/storage/contentInHand';
import { moveToWorktree } from '../../../src/host/takeOver/moveSession';
import { overlapsOf, takeOverChanges } from '../../../src/host/takeOver/takeOverChanges';
import { worktreeChanges } from '../../../src/host/takeOver/worktreeChanges';
import type { Worktree } from '../../../src/host/worktrees/worktree';
import type { Worktrees } from '../../../src/host/worktrees/worktrees';
import { sessionId, until } from './desk';
import { gitIn, put, text, WorktreeDesk } from './worktreeDesk';

/* Git worktrees of real repositories, by VS Code's Git extension: what moves there and comes back. */

describe('worktrees', () => {
  let desk: WorktreeDesk;
  let root: string;
  let worktrees: Worktrees;
  let git: WorktreeDesk['git'];
  let make: WorktreeDesk['make'];

  beforeEach(async function () {
    desk = new WorktreeDesk();
    ({ root, worktrees, git, make } = desk);
    if (!(await desk.begin())) this.skip();
  });
  afterEach(() => desk.clear());

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
