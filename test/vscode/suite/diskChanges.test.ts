import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as vscode from 'vscode';
import type { ToolCallFields } from '../../../src/acp/decodeUpdate';
import { silentLogger } from '../../../src/base/log';
import { systemClock } from '../../../src/host/clock';
import { DiskChanges, type DiskChangesOptions } from '../../../src/host/diskChanges';
import { Review } from '../../../src/host/review';
import { TurnFollower } from '../../../src/host/turnFollower';
import { SaveAnnouncer, type WindowSaves } from '../../../src/host/savedElsewhere';
import { DEFAULT_GUARDS, isGuarded } from '../../../src/review/guardedFiles';
import { Desk, sessionId, until } from './desk';

/** A desk at which an agent writes to disk by itself. */
class AgentDesk extends Desk {
  readonly saves: WindowSaves = { folder: join(this.outside, 'saves'), id: 'here', clock: systemClock };
  readonly options: DiskChangesOptions = {
    saves: this.saves,
    scopes: (id) => (id === sessionId ? { sessionId, agent: 'Desk', cwd: this.folder, roots: [this.folder] } : undefined),
    review: this.review,
    opaque: this.whole,
    clock: systemClock,
    log: silentLogger,
    environment: () => Promise.resolve(process.env),
    isGuarded: (path) => isGuarded(relative(this.folder, path), DEFAULT_GUARDS),
    copiesFolder: join(this.outside, 'before'),
    patienceMs: 20_000,
  };
  readonly turns = new DiskChanges(this.options);
  readonly all = this.shownReview;

  async begin(): Promise<void> {
    await this.whole.open();
    await this.turns.begin(sessionId);
  }

  end(): void {
    this.turns.end(sessionId);
  }

  tool(fields: Partial<ToolCallFields>): void {
    this.turns.act(sessionId, { type: 'toolCall/patched', at: 0, fields: { toolCallId: 'call', ...fields } });
  }

  /** As the panel shows them. */
  rows(): string[] {
    return this.all.changes().map(({ kind, label, added, removed, note }) => `${kind} ${label} ${note ?? `+${added} -${removed}`}`);
  }

  async shows(...rows: string[]): Promise<void> {
    await until(rows.join(', ') || 'no rows', () => JSON.stringify(this.rows()) === JSON.stringify(rows)).catch(() => assert.deepEqual(this.rows(), rows));
  }

  git(...args: string[]): void {
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: this.folder, stdio: 'ignore' });
  }

  override async clear(): Promise<void> {
    this.turns.dispose();
    await super.clear();
  }
}

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

  it('are not the agent\'s outside a turn, nor is a save of the person in one', async () => {
    desk.put('a.txt', 'one\n');
    desk.put('b.txt', 'one\n');
    desk.put('c.txt', 'one\n');
    const editor = await desk.open('a.txt');
    await desk.begin();
    await desk.type(editor, 0, 'mine\n');
    await editor.document.save();
    desk.put('c.txt', 'agent\n');
    await desk.shows('modified c.txt +1 -1');
    desk.end();
    await until('the end of the watch', () => !desk.turns.isFollowing);
    desk.put('b.txt', 'later\n');
    await desk.begin();
    desk.put('c.txt', 'agent\nagain\n');
    await desk.shows('modified c.txt +2 -1');
  });

  it('have as their baseline what something else wrote between two turns, however short the time', async () => {
    desk.put('a.txt', 'one\n');
    await desk.begin();
    desk.put('b.txt', 'by the agent\n');
    desk.end();
    const ended = Date.now();
    await until('a moment to pass', () => Date.now() > ended + 50);
    desk.put('c.txt', 'by a program of the person\n');
    await desk.begin();
    await desk.shows('created b.txt +1 -0');
    desk.put('c.txt', 'by a program of the person\nand the agent\n');
    await desk.shows('created b.txt +1 -0', 'modified c.txt +1 -0');
    desk.end();
    await desk.all.undo({ path: desk.path('c.txt') });
    assert.equal(desk.disk('c.txt'), 'by a program of the person\n');
  });

  it('leave alone what the person types in the same file, before and after', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    const editor = await desk.open('a.txt');
    await desk.begin();
    await desk.type(editor, 0, 'mine\n');
    await editor.document.save();
    desk.put('a.txt', 'mine\none\ntwo\nthree\nfour\nFIVE\n');
    await desk.shows('modified a.txt +1 -1');
    await until('the editor to follow', () => editor.document.getText().includes('FIVE'));
    await desk.type(editor, 1, 'mine too\n');
    await editor.document.save();
    await until('the save to be seen', () => desk.review.textNow(desk.path('a.txt'))?.text?.includes('mine too'));
    assert.deepEqual(desk.rows(), ['modified a.txt +1 -1']);
    desk.end();
    await desk.all.undo({});
    assert.equal(desk.disk('a.txt'), 'mine\nmine too\none\ntwo\nthree\nfour\nfive\n');
  });

  it('are not lost when the person types on and saves at once', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\n');
    const editor = await desk.open('a.txt');
    await desk.begin();
    const followed = new Promise<void>((resolve) => {
      const registration = vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document !== editor.document) return;
        registration.dispose();
        resolve();
      });
    });
    desk.put('a.txt', 'one\ntwo\nTHREE\n');
    await followed;
    await desk.type(editor, 0, 'mine\n');
    await editor.document.save();
    await desk.shows('modified a.txt +1 -1');
    desk.end();
    await desk.all.undo({});
    assert.equal(desk.disk('a.txt'), 'mine\none\ntwo\nthree\n');
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

  it('are undone in a document that has not noticed them yet', async () => {
    desk.put('a.txt', 'one\ntwo\n');
    const editor = await desk.open('a.txt');
    await desk.begin();
    for (let i = 0; i < 5; i++) {
      desk.put('a.txt', `one\n${i}\n`);
      desk.tool({ kind: 'edit', locations: [{ path: desk.path('a.txt') }], status: 'completed' });
      await until('the change', () => desk.rows().length === 1);
      desk.put('a.txt', `one\n${i}\nmore\n`);
      await desk.all.undo({ path: desk.path('a.txt') });
      assert.deepEqual([desk.disk('a.txt'), ...desk.reported], ['one\ntwo\n']);
      await until('the document', () => editor.document.getText() === 'one\ntwo\n' && !editor.document.isDirty);
      await desk.shows();
    }
  });

  it('never cost unsaved work: the file is listed, Undo waits', async () => {
    desk.put('a.txt', 'one\ntwo\n');
    const editor = await desk.open('a.txt');
    await desk.begin();
    await desk.type(editor, 0, 'unsaved\n');
    desk.put('a.txt', 'one\n2\n');
    await desk.shows('modified a.txt +1 -1');
    desk.end();
    await desk.all.undo({ path: desk.path('a.txt') });
    assert.equal(editor.document.getText(), 'unsaved\none\ntwo\n');
    assert.equal(desk.disk('a.txt'), 'one\n2\n');
    assert.match(desk.reported.join(), /a\.txt stayed: you have unsaved changes/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('the file as it is on disk', () => editor.document.getText() === 'one\n2\n');
    await desk.all.undo({ path: desk.path('a.txt') });
    assert.equal(desk.disk('a.txt'), 'one\ntwo\n');
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
    assert.deepEqual(desk.rows().sort(), ['created new/deep.txt +1 -0', 'deleted gone.txt +0 -2', 'renamed moved.txt +0 -0']);
    // One row in the tree, one place of the keys, and a diff with where it was.
    assert.deepEqual([desk.all.rows[0]!.changes.length, desk.all.places().length], [3, 3]);
    await desk.all.open(desk.path('moved.txt'));
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.ok(input instanceof vscode.TabInputTextDiff && input.original.fsPath === desk.path('folder/old.txt') && input.modified.fsPath === desk.path('moved.txt'));
    await desk.all.undo({ path: desk.path('moved.txt') });
    assert.equal(desk.disk('folder/old.txt'), 'the same\n');
    assert.equal(desk.exists('moved.txt'), false);
    await desk.all.undo({});
    assert.deepEqual(desk.bytes('gone.txt'), Buffer.from('\uFEFFone\r\ntwo\r\n'));
    assert.equal(statSync(desk.path('gone.txt')).mode & 0o777, 0o755);
    assert.equal(desk.exists('new/deep.txt'), false);
    await desk.shows();
  });

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
    await desk.shows('modified picture.png Binary file', 'modified local.ini What was before is not known');
    desk.end();
    await desk.all.undo({});
    assert.deepEqual(desk.bytes('picture.png'), Buffer.from([137, 80, 0, 1, 2, 3]));
    assert.match(desk.reported.join(), /local\.ini: what was before is not known, so it stayed/);
    assert.equal(desk.disk('local.ini'), 'A=2\n');
    await desk.all.keep({ path: desk.path('local.ini') });
    assert.deepEqual(desk.rows(), []);
    await desk.keeping.undoLast();
    assert.deepEqual(desk.rows(), ['modified local.ini What was before is not known']);
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
    await until('both', () => desk.rows().length === 2);
    assert.deepEqual(desk.rows().sort(), ['modified picture.png Binary file', 'renamed new.png Binary file']);
    desk.whole.flushSync();
    const next = desk.openOpaque();
    await next.open();
    const review = new Review(desk.review, desk.keeping, () => desk.folder, systemClock, next.changes, { ...desk.reviewOptions, movedFrom: next.renames.fromOf });
    assert.deepEqual(review.changes().map(({ kind, label, from }) => `${kind} ${label} ${from}`).sort(), ['modified picture.png undefined', 'renamed new.png folder/old.png']);
    await review.undo({ path: desk.path('new.png') });
    assert.deepEqual([desk.exists('new.png'), desk.bytes('folder/old.png')], [false, Buffer.from([137, 80, 0, 7])]);
    await review.undo({});
    assert.deepEqual([desk.bytes('picture.png'), statSync(desk.path('picture.png')).mode & 0o777, review.changes(), desk.reported], [picture, 0o640, [], []]);
    review.dispose();
    next.dispose();
  });

  it('of large binary files are undone up to 50 MB, from git or from a copy; larger ones are listed, and go where they came', async () => {
    const large = (megabytes: number, first: number) => {
      const made = Buffer.alloc(megabytes * 1024 * 1024 + 7);
      made[0] = first;
      return made;
    };
    desk.put('clean.bin', large(12, 1));
    desk.put('small.bin', large(2, 1));
    desk.git('init', '-q');
    desk.git('add', '.');
    desk.git('commit', '-q', '-m', 'first');
    desk.put('small.bin', large(2, 2));
    desk.put('untracked.bin', large(20, 3));
    desk.put('huge.bin', large(50, 4));
    await desk.begin();
    desk.tool({ kind: 'execute', rawInput: { command: 'a tool' } });
    for (const [name, size] of [['clean.bin', 12], ['small.bin', 2], ['untracked.bin', 20], ['huge.bin', 50]] as const) desk.put(name, large(size, 9));
    desk.end();
    await until('all', () => desk.rows().length === 4);
    assert.deepEqual(desk.rows().sort(), ['modified clean.bin Binary file', 'modified huge.bin Too large to undo', 'modified small.bin Binary file', 'modified untracked.bin Binary file']);
    await desk.all.undo({});
    assert.deepEqual([['clean.bin', 12, 1], ['small.bin', 2, 2], ['untracked.bin', 20, 3], ['huge.bin', 50, 9]].filter(([name, size, first]) => !desk.bytes(String(name)).equals(large(Number(size), Number(first)))), []);
    assert.match(desk.reported.join(), /^huge\.bin: what it held is too large to be kept \(over 50 MB/);
  });

  it('have their baseline from git where the file was clean, also after the agent has committed', async () => {
    desk.put('src/a.txt', 'one\ntwo\n');
    desk.put('dirty.txt', 'committed\n');
    desk.put('.gitignore', 'ignored/\n');
    desk.git('init', '-q');
    desk.git('add', '.');
    desk.git('commit', '-q', '-m', 'first');
    desk.put('dirty.txt', 'mine\n');
    await desk.begin();
    desk.tool({ kind: 'execute', rawInput: { command: 'a formatter' } });
    desk.put('src/a.txt', 'one\n2\n');
    desk.put('dirty.txt', 'mine\nformatted\n');
    desk.put('fresh.txt', 'new\n');
    desk.git('commit', '-q', '-a', '-m', 'second');
    await until('three rows', () => desk.rows().length === 3);
    assert.deepEqual(desk.rows().sort(), ['created fresh.txt +1 -0', 'modified dirty.txt +1 -0', 'modified src/a.txt +1 -1']);
    desk.end();
    await desk.all.undo({});
    assert.deepEqual([desk.disk('src/a.txt'), desk.disk('dirty.txt'), desk.exists('fresh.txt')], ['one\ntwo\n', 'mine\n', false]);
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

  it('are seen in guarded files that git ignores, and in those of its own that decide what it runs, and nothing else of it', async () => {
    desk.put('.gitignore', '.env*\nnode_modules/\n.vscode/\n');
    desk.put('a.txt', 'one\n');
    desk.put('.env', 'KEY=1\n');
    desk.put('sub/.env.local', 'KEY=1\n');
    desk.git('init', '-q');
    desk.git('add', '.gitignore', 'a.txt');
    desk.git('commit', '-q', '-m', 'first');
    const config = desk.disk('.git/config');
    await desk.begin();
    desk.tool({ kind: 'execute', rawInput: { command: 'npm install' } });
    desk.put('.env', 'KEY=2\n');
    rmSync(desk.path('sub/.env.local'));
    desk.put('.git/hooks/pre-commit', '#!/bin/sh\n');
    desk.put('.vscode/tasks.json', '{}\n');
    desk.put('node_modules/a/.env', 'KEY=3\n');
    desk.git('config', 'core.pager', 'cat');
    desk.put('a.txt', 'two\n');
    desk.git('commit', '-q', '-a', '-m', 'second');
    desk.end();
    await until('the changes', () => desk.rows().length >= 6);
    await until('the end of the watch', () => !desk.turns.isFollowing);
    const rows = ['created .git/hooks/pre-commit +1 -0', 'created .vscode/tasks.json +1 -0', 'deleted sub/.env.local +0 -1', 'modified .env +1 -1', 'modified .git/config +1 -0', 'modified a.txt +1 -1'];
    assert.deepEqual(desk.rows().sort(), rows);
    for (const name of ['.env', 'sub/.env.local', '.git/hooks/pre-commit', '.git/config', '.vscode/tasks.json']) await desk.all.undo({ path: desk.path(name) });
    assert.deepEqual([desk.disk('.env'), desk.disk('sub/.env.local'), desk.exists('.git/hooks/pre-commit'), desk.disk('.git/config'), desk.exists('.vscode/tasks.json')], ['KEY=1\n', 'KEY=1\n', false, config, false]);
    assert.deepEqual(desk.reported, []);
  });

  it('are not what VS Code\'s own Git extension notes of a new branch', async () => {
    desk.put('a.txt', 'one\n');
    desk.git('init', '-q');
    await desk.begin();
    desk.git('config', 'branch.new.vscode-merge-base', 'origin/main');
    desk.put('a.txt', 'two\n');
    await desk.shows('modified a.txt +1 -1');
    desk.end();
    await until('the end of the watch', () => !desk.turns.isFollowing);
    await desk.shows('modified a.txt +1 -1');
  });

  it('are followed in a turn that the agent has begun by itself', async () => {
    desk.put('a.txt', 'one\n');
    await desk.whole.open();
    const put = Date.now();
    await until('a moment to pass', () => Date.now() > put + 50);
    await desk.turns.begin(sessionId, true);
    desk.put('a.txt', 'two\n');
    await desk.shows('modified a.txt +1 -1');
    desk.end();
    await until('the end of the watch', () => !desk.turns.isFollowing);
  });

  it('are followed as soon as a turn without a prompt is heard of, and not after its end', async () => {
    await desk.whole.open();
    const follower = new TurnFollower(desk.options);
    try {
      follower.act(sessionId, { type: 'turn/started', at: 0, turnId: 't1', prompt: [] });
      follower.end(sessionId);
      follower.act(sessionId, { type: 'turn/started', at: 0, turnId: 't2', prompt: [] });
      const followed = () => (desk.review.disk === desk.turns ? undefined : (desk.review.disk as DiskChanges | undefined));
      await until('the watch', () => followed()?.isFollowing);
      desk.put('a.txt', 'one\n');
      await until('the change', () => desk.rows().some((row) => row.includes('a.txt')));
      follower.end(sessionId);
      await until('the end of the watch', () => !followed()!.isFollowing);
    } finally {
      follower.dispose();
    }
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
    for (const [name, content] of [['a.txt', 'two\n'], ['picture.png', Buffer.from([137, 80, 0, 9, 9])]] as const) writeFileSync(join(desk.outside, name), content);
    renameSync(desk.path('folder'), desk.path('aside'));
    symlinkSync(desk.outside, desk.path('folder'));
    await desk.all.undo({});
    assert.match(desk.reported.join('\n'), /a\.txt: the link .*folder has been made since the session began and leads out/);
    assert.match(desk.reported.join('\n'), /picture\.png: the link /);
    assert.deepEqual([readFileSync(join(desk.outside, 'a.txt'), 'utf8'), readFileSync(join(desk.outside, 'picture.png')).length], ['two\n', 5]);
    assert.equal(desk.rows().length, 2);
    rmSync(desk.path('folder'));
    renameSync(desk.path('aside'), desk.path('folder'));
    await desk.all.undo({});
    assert.equal(desk.disk('folder/a.txt'), 'one\n');
    assert.equal(desk.bytes('folder/picture.png').length, 6);
  });

  it('are recorded before a write through the editor, or a restore, takes what stands in the file for known', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\nfour\n');
    await desk.begin();
    desk.tool({ kind: 'execute', rawInput: { command: 'sed -i s/one/1/ a.txt' } });
    desk.put('a.txt', '1\ntwo\nthree\nfour\n');
    await desk.write('a.txt', '1\ntwo\n3\nfour\n');
    assert.deepEqual(desk.rows(), ['modified a.txt +2 -2']);
    desk.put('a.txt', '1\ntwo\n3\nFOUR\n');
    assert.equal((await desk.review.guard.standing(sessionId, desk.path('a.txt'))).text, '1\ntwo\n3\nFOUR\n');
    assert.deepEqual(desk.rows(), ['modified a.txt +3 -3']);
    desk.end();
    await desk.all.undo({});
    assert.equal(desk.disk('a.txt'), 'one\ntwo\nthree\nfour\n');
  });

  it('are not what the person saves in another window', async () => {
    desk.put('a.txt', 'one\n');
    desk.put('b.txt', 'one\n');
    const other = new SaveAnnouncer({ ...desk.saves, id: 'other' });
    try {
      await desk.begin();
      desk.put('a.txt', 'mine\n');
      await other.saved(desk.path('a.txt'), 'mine\n');
      desk.put('b.txt', 'agent\n');
      await desk.shows('modified b.txt +1 -1');
      desk.put('a.txt', 'mine\nagent\n');
      await desk.shows('modified b.txt +1 -1', 'modified a.txt +1 -0');
      desk.end();
      await desk.all.undo({});
      assert.equal(desk.disk('a.txt'), 'mine\n');
    } finally {
      other.dispose();
    }
  });

  it('of permissions alone are listed and undone, those of a file that git knows too', async () => {
    desk.put('a.sh', 'one\n');
    chmodSync(desk.path('a.sh'), 0o640);
    desk.put('b.sh', 'two\n');
    chmodSync(desk.path('b.sh'), 0o755);
    desk.git('init', '-q');
    desk.git('add', 'b.sh');
    desk.git('commit', '-q', '-m', 'first');
    await desk.begin();
    desk.tool({ kind: 'execute', rawInput: { command: 'chmod' } });
    chmodSync(desk.path('a.sh'), 0o750);
    chmodSync(desk.path('b.sh'), 0o644);
    desk.end();
    await until('both', () => desk.rows().length === 2);
    assert.deepEqual(desk.rows().sort(), ['modified a.sh Made executable', 'modified b.sh No longer executable']);
    for (const name of ['a.sh', 'b.sh']) await desk.all.undo({ path: desk.path(name) });
    assert.deepEqual(['a.sh', 'b.sh'].map((name) => statSync(desk.path(name)).mode & 0o777), [0o640, 0o755]);
    assert.deepEqual(desk.rows(), []);
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
