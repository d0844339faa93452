import * as assert from 'node:assert/strict';
import { chmodSync, rmSync, statSync } from 'node:fs';
import { AgentDesk } from './agentDesk';
import { until } from './desk';

describe('changes that an agent writes to disk by itself, in a repository,', () => {
  let desk: AgentDesk;
  beforeEach(() => {
    desk = new AgentDesk();
  });
  afterEach(() => desk.clear());

  it('have their baseline from git where the file was clean, also after the agent has committed', async () => {
    desk.put('src/a.txt', 'one\ntwo\n');
    desk.put('dirty.txt', 'committed\n');
    desk.put('.gitignore', 'ignored/\n');
    desk.repository('.');
    desk.put('dirty.txt', 'mine\n');
    await desk.begin();
    desk.tool({ kind: 'execute', rawInput: { command: 'a formatter' } });
    desk.put('src/a.txt', 'one\n2\n');
    desk.put('dirty.txt', 'mine\nformatted\n');
    desk.put('fresh.txt', 'new\n');
    desk.git('commit', '-q', '-a', '-m', 'second');
    await until('three rows', () => desk.rows().length === 3);
    assert.deepEqual(desk.rows().sort(), [
      'created fresh.txt +1 -0',
      'modified dirty.txt +1 -0',
      'modified src/a.txt +1 -1',
    ]);
    await desk.endAndUndo();
    assert.deepEqual(
      [desk.disk('src/a.txt'), desk.disk('dirty.txt'), desk.exists('fresh.txt')],
      ['one\ntwo\n', 'mine\n', false],
    );
  });

  it('are undone to the line ends and permissions that the files had', async () => {
    desk.put('.gitattributes', '*.bat eol=crlf\n');
    for (const name of ['gone.bat', 'formatted.bat']) desk.put(name, 'one\r\ntwo\r\n');
    desk.put('private.bin', Buffer.from([0, 1]));
    desk.repository('.');
    chmodSync(desk.path('private.bin'), 0o600);
    await desk.begin();
    desk.tool({ kind: 'execute', rawInput: { command: 'a formatter' } });
    rmSync(desk.path('gone.bat'));
    desk.put('formatted.bat', 'one\n2\n');
    desk.put('private.bin', Buffer.from([0, 2]));
    // VS Code says nothing of a file that is made and deleted within a moment; the end of the turn finds it.
    desk.end();
    await until('three rows', () => desk.rows().length === 3).catch(() => undefined);
    assert.equal(
      desk.rows().sort().join(', '),
      'deleted gone.bat +0 -2, modified formatted.bat +1 -1, modified private.bin Binary file',
    );
    await desk.all.undo({});
    assert.deepEqual([desk.disk('gone.bat'), desk.disk('formatted.bat')], ['one\r\ntwo\r\n', 'one\r\ntwo\r\n']);
    assert.deepEqual([...desk.bytes('private.bin'), statSync(desk.path('private.bin')).mode & 0o777], [0, 1, 0o600]);
  });

  it('are seen in guarded files that git ignores, and in those of its own that decide what it runs, and nothing else of it', async () => {
    desk.put('.gitignore', '.env*\nnode_modules/\n.vscode/\n');
    desk.put('a.txt', 'one\n');
    desk.put('.env', 'KEY=1\n');
    desk.put('sub/.env.local', 'KEY=1\n');
    desk.repository('.gitignore', 'a.txt');
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
    const rows = [
      'created .git/hooks/pre-commit +1 -0',
      'created .vscode/tasks.json +1 -0',
      'deleted sub/.env.local +0 -1',
      'modified .env +1 -1',
      'modified .git/config +1 -0',
      'modified a.txt +1 -1',
    ];
    assert.deepEqual(desk.rows().sort(), rows);
    for (const name of ['.env', 'sub/.env.local', '.git/hooks/pre-commit', '.git/config', '.vscode/tasks.json'])
      await desk.all.undo({ path: desk.path(name) });
    assert.deepEqual(
      [
        desk.disk('.env'),
        desk.disk('sub/.env.local'),
        desk.exists('.git/hooks/pre-commit'),
        desk.disk('.git/config'),
        desk.exists('.vscode/tasks.json'),
      ],
      ['KEY=1\n', 'KEY=1\n', false, config, false],
    );
    assert.deepEqual(desk.reported, []);
  });

  it("are not what VS Code's own Git extension notes of a new branch", async () => {
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
});
