import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TurnWindow } from '../../../../fakes/turnWindow';

vi.mock('vscode', () => import('../../../../fakes/diskVscode'));

describe.skipIf(process.platform === 'win32')('a command that changes files of several repositories', () => {
  let top: string;
  let window: TurnWindow;

  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'parley-nested-'));
    window = new TurnWindow(join(top, 'window'));
    window.environment = { PATH: process.env['PATH'], HOME: top };
  });
  afterEach(() => {
    window.end();
    rmSync(top, { recursive: true, force: true });
  });

  const sh = (script: string) =>
    execFileSync(
      'sh',
      [
        '-ec',
        `g() { git -c user.name=A -c user.email=a@example.com -c protocol.file.allow=always -c init.defaultBranch=main "$@"; }; ${script}`,
      ],
      { cwd: window.folder, stdio: 'pipe', env: { ...process.env, HOME: top } },
    );
  const commit = 'g init -q; g add .; g commit -qm x';

  it.each([
    [
      'with one around them',
      `printf 'main\\n' > main.txt; ${commit}; g submodule add -q ../../lib sub; g commit -qm s`,
    ],
    ['with none around them', `g clone -q ../../lib sub; printf 'main\\n' > main.txt`],
  ])('has the originals from the right one, %s', async (_name, make) => {
    sh(
      `mkdir ../../lib; cd ../../lib; printf 'lib\\n' > l.txt; ${commit}; cd '${window.folder}'; ${make}; echo '*.txt2' > .gitignore; mkdir own; cd own; printf 'own\\n' > o.txt; printf 'seen\\n' > o.txt2; ${commit}`,
    );
    await window.open();
    await window.begin();
    const names = ['main.txt', 'sub/l.txt', 'own/o.txt', 'own/o.txt2', 'own/new.txt'];
    for (const name of names) writeFileSync(window.at(name), 'by the agent\n');
    await window.seen(...names);
    expect(window.waits().sort()).toEqual([
      'created own/new.txt',
      'modified main.txt',
      'modified own/o.txt',
      'modified own/o.txt2',
      'modified sub/l.txt',
    ]);
    const undone = await Promise.all(names.map((name) => window.undone(name, undefined)));
    expect(undone.map((bytes) => bytes && String(bytes))).toEqual(['main\n', 'lib\n', 'own\n', 'seen\n', undefined]);
  });
});
