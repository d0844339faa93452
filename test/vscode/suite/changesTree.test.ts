import * as assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { ChangesTree, type ChangeRow } from '../../../src/host/review/changesTree';
import { Guards } from '../../../src/host/changes/guards';
import type { Review } from '../../../src/host/review/review';
import { Desk, sessionId } from './desk';
import { contentOfText } from '../../../src/host/storage/contentInHand';

describe('changes all at once', () => {
  let desk: Desk;
  let review: Review;
  beforeEach(() => {
    desk = new Desk();
    review = desk.shownReview;
  });
  afterEach(() => desk.clear());

  /** Two turns: `a.txt` is touched by both, `b.txt` made by the first, a guarded file changed by the second. */
  async function twoTurns(): Promise<void> {
    desk.guarded = ['.env'];
    desk.put('a.txt', '1\n2\n3\n4\n5\n');
    desk.put('.env', 'KEY=1\n');
    await desk.write('a.txt', 'one\n2\n3\n4\n5\n');
    await desk.write('b.txt', 'new\n');
    desk.turn = 'e7';
    await desk.write('a.txt', 'one\n2\n3\n4\nfive\n');
    await desk.write('.env', 'KEY=2\n');
  }

  it('Undo of a turn takes back what it did, and nothing of the others', async () => {
    await twoTurns();
    await review.undo({ sessionId, turn: 'e7' });
    assert.equal(desk.disk('a.txt'), 'one\n2\n3\n4\n5\n');
    assert.equal(desk.disk('.env'), 'KEY=1\n');
    assert.deepEqual(desk.changes(), ['modified a.txt +1 -1', 'created b.txt +1 -0']);
    await review.undo({ sessionId, turn: 'e0' });
    assert.equal(desk.exists('b.txt'), false);
    assert.deepEqual(desk.changes(), []);
  });

  it('Keep of a turn leaves the others, and what is guarded until the user says so', async () => {
    await twoTurns();
    desk.confirm = false;
    await review.keep({ sessionId, turn: 'e7' });
    assert.deepEqual(desk.questions, ['.env']);
    assert.deepEqual(desk.changes(), ['modified a.txt +1 -1', 'created b.txt +1 -0', 'modified .env +1 -1']);
    desk.confirm = true;
    await review.keep({});
    assert.deepEqual(desk.changes(), []);
    assert.equal(desk.disk('.env'), 'KEY=2\n');
  });

  it('a guarded file that is chosen by itself is kept without a question', async () => {
    await twoTurns();
    await review.keep({ path: desk.path('.env') });
    assert.deepEqual([desk.questions, desk.changes().length], [[], 2]);
  });

  it('Undo Last Keep brings back what waited, what the agent has written since included', async () => {
    await twoTurns();
    await review.keep({ sessionId, turn: 'e0' });
    await review.keep({ path: desk.path('a.txt') });
    desk.turn = 'e9';
    await desk.write('a.txt', 'one\n2\nthree\n4\nfive\n');
    await desk.keeping.undoLast();
    await desk.keeping.undoLast();
    assert.deepEqual(desk.changes().sort(), ['created b.txt +1 -0', 'modified .env +1 -1', 'modified a.txt +3 -3']);
    await review.undo({});
    assert.deepEqual([desk.disk('a.txt'), desk.exists('b.txt')], ['1\n2\n3\n4\n5\n', false]);
    assert.equal((await desk.keeping.undoLast()).isDone, false);
  });

  it('Undo Last Keep says which files are gone, and makes no change of them', async () => {
    await desk.write('b.txt', 'new\n');
    await review.keep({});
    rmSync(desk.path('b.txt'));
    assert.deepEqual((await desk.keeping.undoLast()).gone, [desk.path('b.txt')]);
    assert.deepEqual(desk.changes(), []);
  });

  it('the tree has files with their hunks, marks what is guarded with a word and an icon, and shows a page of thousands', async () => {
    await vscode.extensions.getExtension('parley.parley')?.activate();
    const tree = treeOver(review, desk);
    try {
      await twoTurns();
      const words = (rows: ChangeRow[]) =>
        rows.map((row) => {
          const { label, resourceUri, description } = tree.getTreeItem(row);
          return `${(label as string | undefined) ?? resourceUri!.path.split('/').at(-1)} ${String(description)}`;
        });
      const roots = tree.getChildren();
      assert.deepEqual(words(roots), ['a.txt +2 −2', 'b.txt +1 · created', '.env +1 −1 · Protected']);
      assert.equal((tree.getTreeItem(roots[2]!).iconPath as vscode.ThemeIcon).id, 'shield');
      assert.deepEqual(words(tree.getChildren(roots[0])), ['Line 1 +1 −1 · one', 'Line 5 +1 −1 · five']);
      await tree.group('turn');
      assert.deepEqual(words(tree.getChildren()), ['The prompt e7 2 files +2 −2', 'The prompt e0 2 files +2 −1']);
      await tree.group('file');
      const started = performance.now();
      for (let i = 0; i < 5_000; i++)
        desk.review.record(sessionId, desk.path(`many/f${i}.txt`), contentOfText('a\n'), contentOfText('b\n'));
      const page = tree.getChildren();
      assert.ok(performance.now() - started < 15_000);
      assert.deepEqual([page.length, words(page.slice(-1))], [201, ['and 4,803 more undefined']]);
      tree.showMore(page.at(-1) as Extract<ChangeRow, { kind: 'more' }>);
      assert.equal(tree.getChildren().length, 401);
      assert.equal(review.changes().length, 5_003);
    } finally {
      tree.dispose();
    }
  });

  it('a workspace adds guards to those of the user, and takes none away', async () => {
    const settings = vscode.workspace.getConfiguration('parley');
    const guards = new Guards();
    try {
      assert.equal(guards.isGuarded(desk.path('.env.local')), true);
      assert.equal(guards.isGuarded(desk.path('a.sql')), false);
      await settings.update('review.guard', ['*.sql'], vscode.ConfigurationTarget.Workspace);
      assert.equal(guards.isGuarded(desk.path('.env.local')), true);
      assert.equal(guards.isGuarded(desk.path('a.sql')), true);
      await settings.update('review.guard', [], vscode.ConfigurationTarget.Global);
      assert.equal(guards.isGuarded(desk.path('.env.local')), false);
      assert.equal(guards.isGuarded(desk.path('a.sql')), true);
    } finally {
      await settings.update('review.guard', undefined, vscode.ConfigurationTarget.Global);
      await settings.update('review.guard', undefined, vscode.ConfigurationTarget.Workspace);
      guards.dispose();
    }
  });
});

function treeOver(review: Review, desk: Desk): ChangesTree {
  const values = new Map<string, unknown>();
  const state = {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
  } as vscode.Memento;
  return new ChangesTree({
    review,
    state,
    cwd: () => desk.folder,
    sessionTitle: () => 'Desk',
    turnTitle: (_id, turn) => `The prompt ${turn}`,
    subagentsOf: () => '',
  });
}
