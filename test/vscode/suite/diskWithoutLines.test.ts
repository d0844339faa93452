import * as assert from 'node:assert/strict';
import { chmodSync, renameSync, statSync } from 'node:fs';
import { AgentDesk } from './agentDesk';
import { Desk, until } from './desk';

describe('changes that an agent writes to disk by itself, without lines,', () => {
  let desk: AgentDesk;
  beforeEach(() => {
    desk = new AgentDesk();
  });
  afterEach(() => desk.clear());

  it('are listed where they are no text, or what was before is not known', async () => {
    desk.put('picture.png', Buffer.from([137, 80, 0, 1, 2, 3]));
    // Not followed, and named by the agent only when it has been written.
    desk.put('.gitignore', 'local.ini\n');
    desk.put('local.ini', 'A=1\n');
    await desk.begin();
    desk.put('picture.png', Buffer.from([137, 80, 0, 9, 9]));
    await desk.shows('modified picture.png Binary file');
    desk.put('local.ini', 'A=2\n');
    desk.tool({ kind: 'edit', locations: [{ path: desk.path('local.ini') }], status: 'completed' });
    await desk.shows('modified picture.png Binary file', 'modified local.ini Original unknown');
    await desk.endAndUndo();
    assert.deepEqual(desk.bytes('picture.png'), Buffer.from([137, 80, 0, 1, 2, 3]));
    assert.match(desk.reported.join(), /local\.ini: its original content is unknown, so Parley left it unchanged/);
    assert.equal(desk.disk('local.ini'), 'A=2\n');
    await desk.all.keep({ path: desk.path('local.ini') });
    assert.deepEqual(desk.rows(), []);
    await desk.keeping.undoLast();
    assert.deepEqual(desk.rows(), ['modified local.ini Original unknown']);
  });

  it('of binary files, and moves, are there after a reload and undone like before', async () => {
    const picture = Buffer.from([137, 80, 0, 1, 2, 3]);
    desk.put('picture.png', picture);
    desk.put('folder/old.png', Buffer.from([137, 80, 0, 7]));
    chmodSync(desk.path('picture.png'), 0o640);
    await desk.begin();
    desk.put('picture.png', Buffer.from([137, 80, 0, 9, 9]));
    renameSync(desk.path('folder/old.png'), desk.path('new.png'));
    desk.end();
    await until(
      'both',
      () => desk.rows().sort().join() === 'modified picture.png Binary file,renamed new.png Binary file',
    );
    desk.store.flushSync();
    desk.leave();
    const next = new Desk(desk);
    await next.openSaved();
    const review = next.shownReview;
    assert.deepEqual(
      review
        .changes()
        .map(({ kind, label, from }) => `${kind} ${label} ${from}`)
        .sort(),
      ['modified picture.png undefined', 'renamed new.png folder/old.png'],
    );
    await review.undo({ path: desk.path('new.png') });
    assert.deepEqual([desk.exists('new.png'), desk.bytes('folder/old.png')], [false, Buffer.from([137, 80, 0, 7])]);
    await review.undo({});
    assert.deepEqual(
      [desk.bytes('picture.png'), statSync(desk.path('picture.png')).mode & 0o777, review.changes(), next.reported],
      [picture, 0o640, [], []],
    );
    next.leave();
  });

  it('of large binary files are undone up to 50 MB, from git or from a copy; larger ones are listed, and go where they came', async () => {
    const large = (megabytes: number, first: number) => {
      const made = Buffer.alloc(megabytes * 1024 * 1024 + 7);
      made[0] = first;
      return made;
    };
    desk.put('clean.bin', large(12, 1));
    desk.put('small.bin', large(2, 1));
    desk.repository('.');
    desk.put('small.bin', large(2, 2));
    desk.put('untracked.bin', large(20, 3));
    desk.put('huge.bin', large(50, 4));
    await desk.begin();
    desk.tool({ kind: 'execute', rawInput: { command: 'a tool' } });
    for (const [name, size] of [
      ['clean.bin', 12],
      ['small.bin', 2],
      ['untracked.bin', 20],
      ['huge.bin', 50],
    ] as const)
      desk.put(name, large(size, 9));
    desk.end();
    await until('all', () => desk.rows().length === 4);
    assert.deepEqual(desk.rows().sort(), [
      'modified clean.bin Binary file',
      'modified huge.bin Too large to undo',
      'modified small.bin Binary file',
      'modified untracked.bin Binary file',
    ]);
    await desk.all.undo({});
    assert.deepEqual(
      [
        ['clean.bin', 12, 1],
        ['small.bin', 2, 2],
        ['untracked.bin', 20, 3],
        ['huge.bin', 50, 9],
      ].filter(([name, size, first]) => !desk.bytes(String(name)).equals(large(Number(size), Number(first)))),
      [],
    );
    assert.match(desk.reported.join(), /^huge\.bin: its original content is too large to back up \(over 50 MB/);
  });

  it('of permissions alone are listed and undone, those of a file that git knows too', async () => {
    desk.put('a.sh', 'one\n');
    chmodSync(desk.path('a.sh'), 0o640);
    desk.put('b.sh', 'two\n');
    chmodSync(desk.path('b.sh'), 0o755);
    desk.repository('b.sh');
    await desk.begin();
    desk.tool({ kind: 'execute', rawInput: { command: 'chmod' } });
    chmodSync(desk.path('a.sh'), 0o750);
    chmodSync(desk.path('b.sh'), 0o644);
    desk.end();
    await until('both', () => desk.rows().length === 2);
    assert.deepEqual(desk.rows().sort(), [
      'modified a.sh Added execute permission',
      'modified b.sh Removed execute permission',
    ]);
    for (const name of ['a.sh', 'b.sh']) await desk.all.undo({ path: desk.path(name) });
    assert.deepEqual(
      ['a.sh', 'b.sh'].map((name) => statSync(desk.path(name)).mode & 0o777),
      [0o640, 0o755],
    );
    assert.deepEqual(desk.rows(), []);
  });
});
