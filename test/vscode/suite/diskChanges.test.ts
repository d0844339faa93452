import * as assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { DiskChanges } from '../../../src/host/changes/disk/diskChanges';
import { TurnFollower } from '../../../src/host/changes/disk/turnFollower';
import { AgentDesk } from './agentDesk';
import { sessionId, until } from './desk';

describe('changes that an agent writes to disk by itself', () => {
  let desk: AgentDesk;
  beforeEach(() => {
    desk = new AgentDesk();
  });
  afterEach(() => desk.clear());

  it('are reviewed with what was there before, and undone', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\n');
    await desk.begin();
    desk.tool({ kind: 'edit', locations: [{ path: desk.path('a.txt') }] });
    desk.put('a.txt', 'one\n2\nthree\n');
    desk.tool({ status: 'completed' });
    await desk.shows('modified a.txt +1 -1');
    desk.put('a.txt', 'one\n2\nthree\nfour\n');
    await desk.shows('modified a.txt +2 -1');
    desk.end();
    await desk.all.undo({ path: desk.path('a.txt') });
    assert.equal(desk.disk('a.txt'), 'one\ntwo\nthree\n');
    await desk.shows();
  });

  it('have as their baseline what something else wrote between two turns, however short the time', async () => {
    desk.put('a.txt', 'one\n');
    await desk.begin();
    desk.put('b.txt', 'by the agent\n');
    desk.end();
    const ended = Date.now();
    await until('a moment to pass', () => Date.now() > ended + 50);
    desk.put('c.txt', 'by a program of the user\n');
    await desk.begin();
    await desk.shows('created b.txt +1 -0');
    desk.put('c.txt', 'by a program of the user\nand the agent\n');
    await desk.shows('created b.txt +1 -0', 'modified c.txt +1 -0');
    desk.end();
    await desk.all.undo({ path: desk.path('c.txt') });
    assert.equal(desk.disk('c.txt'), 'by a program of the user\n');
  });

  it('are told whole: a file that is cut and written a moment later never shows the cut', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\n');
    await desk.open('a.txt');
    await desk.begin();
    const told = new Set<string>();
    const registration = desk.review.onDidChangeChanges(() => desk.changes().forEach((row) => told.add(row)));
    for (let i = 0; i < 3; i++) {
      desk.put('a.txt', i % 2 === 0 ? '' : 'one\n');
      const cut = Date.now();
      await until('the writer to go on', () => Date.now() > cut + 100);
      desk.put('a.txt', `one\ntwo\nthree\n${i}\n`);
      const whole = Date.now();
      await until('the next write', () => Date.now() > whole + 250);
    }
    await desk.shows('modified a.txt +1 -0');
    registration.dispose();
    assert.deepEqual([...told], ['modified a.txt +1 -0']);
  });

  it('are created, deleted and moved files too, brought back byte by byte', async () => {
    desk.put('gone.txt', Buffer.from('\uFEFFone\r\ntwo\r\n'));
    chmodSync(desk.path('gone.txt'), 0o755);
    desk.put('folder/old.txt', 'the same\n');
    await desk.begin();
    desk.put('new/deep.txt', 'x\n');
    rmSync(desk.path('gone.txt'));
    renameSync(desk.path('folder/old.txt'), desk.path('moved.txt'));
    rmSync(desk.path('folder'), { recursive: true });
    desk.end();
    await until('three rows', () => desk.rows().length === 3);
    await until('the move', () => desk.rows().some((row) => row.startsWith('renamed')));
    assert.deepEqual(desk.rows().sort(), [
      'created new/deep.txt +1 -0',
      'deleted gone.txt +0 -2',
      'renamed moved.txt +0 -0',
    ]);
    // One row in the tree, one place of the keys, and a diff with where it was.
    assert.deepEqual([desk.all.rows[0]!.changes.length, desk.all.places().length], [3, 3]);
    await desk.all.open(desk.path('moved.txt'));
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.ok(
      input instanceof vscode.TabInputTextDiff &&
        input.original.fsPath === desk.path('folder/old.txt') &&
        input.modified.fsPath === desk.path('moved.txt'),
    );
    await desk.all.undo({ path: desk.path('moved.txt') });
    assert.equal(desk.disk('folder/old.txt'), 'the same\n');
    assert.equal(desk.exists('moved.txt'), false);
    await desk.all.undo({});
    assert.deepEqual(desk.bytes('gone.txt'), Buffer.from('\uFEFFone\r\ntwo\r\n'));
    assert.equal(statSync(desk.path('gone.txt')).mode & 0o777, 0o755);
    assert.equal(desk.exists('new/deep.txt'), false);
    await desk.shows();
  });

  it('are followed in a turn that the agent has begun by itself', async () => {
    desk.put('a.txt', 'one\n');
    await desk.openSaved();
    const put = Date.now();
    await until('a moment to pass', () => Date.now() > put + 50);
    await desk.turns.begin(sessionId, Date.now());
    desk.tool({ kind: 'execute', status: 'in_progress' });
    desk.put('a.txt', 'two\n');
    await desk.shows('modified a.txt +1 -1');
    desk.end();
    await until('the end of the watch', () => !desk.turns.isFollowing);
  });

  it('are followed as soon as a turn without a prompt is heard of, and not after its end', async () => {
    await desk.openSaved();
    const follower = new TurnFollower({
      ...desk.options,
      stored: { ...desk.options.stored, images: async () => desk.images, whenReady: async () => {} },
    });
    follower.onDidLoad((disk) => (desk.review.disk = disk));
    try {
      follower.act(sessionId, { type: 'turn/started', at: Date.now(), turnId: 't1', prompt: [] });
      follower.end(sessionId, Date.now());
      follower.act(sessionId, { type: 'turn/started', at: Date.now(), turnId: 't2', prompt: [] });
      const followed = () =>
        desk.review.disk === desk.turns ? undefined : (desk.review.disk as DiskChanges | undefined);
      follower.act(sessionId, {
        type: 'toolCall/patched',
        at: Date.now(),
        fields: { toolCallId: 'call', kind: 'execute', status: 'in_progress' },
      });
      await until('the watch', () => followed()?.isFollowing);
      desk.put('a.txt', 'one\n');
      await until('the change', () => desk.rows().some((row) => row.includes('a.txt')));
      follower.end(sessionId, Date.now());
      await until('the end of the watch', () => !followed()!.isFollowing);
    } finally {
      follower.dispose();
    }
  });

  it('are none in ignored folders, and a burst there is not even looked at', async () => {
    desk.put('.gitignore', 'node_modules/\n*.log\n');
    desk.put('a.txt', 'one\n');
    await desk.begin();
    mkdirSync(desk.path('node_modules/pkg'), { recursive: true });
    for (let i = 0; i < 2_000; i++) writeFileSync(desk.path(`node_modules/pkg/${i}.js`), 'x');
    desk.put('debug.log', 'x\n');
    desk.put('a.txt', 'two\n');
    await desk.shows('modified a.txt +1 -1');
    desk.end();
  });

  it('are not undone through a link that the agent has put in their place', async () => {
    desk.put('folder/a.txt', 'one\n');
    desk.put('folder/picture.png', Buffer.from([137, 80, 0, 1, 2, 3]));
    await desk.begin();
    desk.put('folder/a.txt', 'two\n');
    desk.put('folder/picture.png', Buffer.from([137, 80, 0, 9, 9]));
    await until('both', () => desk.rows().length === 2);
    desk.end();
    await until('the end of the watch', () => !desk.turns.isFollowing);
    for (const [name, content] of [
      ['a.txt', 'two\n'],
      ['picture.png', Buffer.from([137, 80, 0, 9, 9])],
    ] as const)
      writeFileSync(join(desk.outside, name), content);
    renameSync(desk.path('folder'), desk.path('aside'));
    symlinkSync(desk.outside, desk.path('folder'));
    await desk.all.undo({});
    assert.match(desk.reported.join('\n'), /a\.txt: .*folder is a link now/);
    assert.match(desk.reported.join('\n'), /picture\.png: it is no longer a regular file/);
    assert.deepEqual(
      [readFileSync(join(desk.outside, 'a.txt'), 'utf8'), readFileSync(join(desk.outside, 'picture.png')).length],
      ['two\n', 5],
    );
    assert.equal(desk.rows().length, 2);
    rmSync(desk.path('folder'));
    renameSync(desk.path('aside'), desk.path('folder'));
    await desk.all.undo({});
    assert.equal(desk.disk('folder/a.txt'), 'one\n');
    assert.equal(desk.bytes('folder/picture.png').length, 6);
  });

  it('with equal content are none, and writes through the editor are counted once', async () => {
    desk.put('a.txt', 'one\n');
    desk.put('b.txt', 'one\n');
    await desk.begin();
    desk.put('a.txt', 'one\n');
    await desk.write('b.txt', 'two\n');
    // OpenCode writes the same by itself afterwards.
    desk.put('b.txt', 'two\n');
    desk.put('c.txt', 'three\n');
    await desk.shows('modified b.txt +1 -1', 'created c.txt +1 -0');
    assert.equal(dirname(desk.path('c.txt')), desk.folder);
    desk.end();
  });
});
