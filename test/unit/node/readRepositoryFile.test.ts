import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readRepositoryFile } from '../../../src/node/readRepositoryFile';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-reader-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

it.skipIf(process.platform === 'win32')(
  'reads regular files of the folder, and nothing else, with one line in the log for each',
  async () => {
    const root = join(base, 'root');
    mkdirSync(join(root, 'sub'), { recursive: true });
    mkdirSync(join(base, 'outside'));
    writeFileSync(join(base, 'outside/secret'), 'secret');
    writeFileSync(join(root, 'sub/plain'), 'plain');
    writeFileSync(join(root, 'empty'), '');
    writeFileSync(join(root, 'large'), 'x'.repeat(101));
    writeFileSync(join(root, 'fits'), 'x'.repeat(100));
    for (const [name, target] of [
      ['inside', 'sub/plain'],
      ['out', '../outside/secret'],
      ['zero', '/dev/zero'],
      ['loop', 'loop'],
      ['folderOut', '../outside'],
      ['system', '/proc/self/environ'],
    ] as const)
      symlinkSync(target, join(root, name));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const server = createServer().listen(join(root, 'socket'));
    const warnings: string[] = [];
    const read = async (name: string) =>
      (
        await readRepositoryFile(root, join(root, name), 100, {
          warn: (text) => void warnings.push(text.replace(root, '')),
        })
      )?.toString();
    expect([await read('sub/plain'), await read('inside'), await read('empty'), (await read('fits'))?.length]).toEqual([
      'plain',
      'plain',
      '',
      100,
    ]);
    for (const name of ['none', 'sub/plain/none']) expect(await read(name)).toBeUndefined();
    expect(warnings).toEqual([]);
    const refused = [
      'out',
      'zero',
      'loop',
      'folderOut/secret',
      'system',
      'pipe',
      'socket',
      'large',
      'sub',
      '../outside/secret',
    ];
    for (const name of [...refused, ...refused]) expect(await read(name), name).toBeUndefined();
    expect(warnings).toHaveLength(refused.length);
    expect(warnings).toContain('/large was skipped: it has 101 bytes or more, and at most 100 are read');
    server.close();
  },
);
