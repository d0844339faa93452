import * as assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/log';
import { systemClock } from '../../../src/host/platform/clock';
import { FileIndex, FileIndexes } from '../../../src/host/files/fileIndex';
import { Desk, until } from './desk';

describe('files for @', () => {
  let desk: Desk;
  let index: FileIndex;
  beforeEach(() => {
    desk = new Desk();
  });
  afterEach(async () => {
    index.dispose();
    await desk.clear();
  });

  const names = async (text: string, limit = 20) =>
    (await index.query(text, limit)).map(
      (file) =>
        `${file.folder.split('/').slice(1).join('/')}${file.folder.includes('/') ? '/' : ''}${file.name}${file.isFolder ? '/' : ''}`,
    );

  it('finds files and folders by name before path, with what they are', async () => {
    desk.put('src/zzsession.ts', '');
    desk.put('zzsession/other.ts', '');
    desk.put('src/my zz.session ü#.ts', '');
    index = new FileIndex(silentLogger, systemClock);
    const found = await names('zzsession');
    assert.equal(found[0], 'src/zzsession.ts');
    assert.ok(
      found.some((name) => name.endsWith('zzsession/')),
      found.join(),
    );
    assert.ok(found.indexOf('zzsession/other.ts') > 0);
    const [file] = await index.query('zzsession.ts', 1);
    assert.deepEqual(file, {
      path: desk.path('src/zzsession.ts'),
      name: 'zzsession.ts',
      folder: `${desk.folder.split('/').at(-1)}/src`,
      isFolder: false,
    });
    assert.deepEqual(await names('my zz ü#'), ['src/my zz.session ü#.ts']);
  });

  it('leaves out what .gitignore at any level and files.exclude name', async () => {
    // The folder of the test has a name by chance, which has no underscore.
    desk.put('.gitignore', 'z_out/\n*.z_log\n');
    desk.put('inner/.gitignore', '!keep.z_log\nz_private.txt\n');
    for (const name of [
      'z_out/a.ts',
      'b.z_log',
      'inner/keep.z_log',
      'inner/z_private.txt',
      'z_private.txt',
      '.git/z_config',
    ])
      desk.put(name, '');
    index = new FileIndex(silentLogger, systemClock);
    assert.deepEqual(await names('z_'), ['z_private.txt', 'inner/keep.z_log']);
  });

  it('sees files come and go', async () => {
    desk.put('zzfirst.txt', '');
    // A listing that took long counts long as new.
    let later = 0;
    index = new FileIndex(silentLogger, { ...systemClock, now: () => systemClock.now() + later });
    // The folder of the test has a name by chance, which may fit as well.
    const ours = async () => (await names('zz')).filter((name) => name.endsWith('.txt'));
    assert.deepEqual(await ours(), ['zzfirst.txt']);
    desk.put('sub/zzsecond.txt', '');
    later = 3_600_000;
    await until('the second file', async () => (await ours()).length === 2);
    rmSync(desk.path('zzfirst.txt'));
    later *= 2;
    await until('only the second file', async () => (await ours()).join() === 'sub/zzsecond.txt');
  });

  it('finds the files of a worktree for a session in it, and those of the workspace for others', async () => {
    writeFileSync(join(desk.outside, 'zzthere.txt'), '');
    desk.put('zzhere.txt', '');
    const indexes = new FileIndexes(silentLogger, systemClock);
    index = indexes.of(undefined);
    const paths = async (worktree: string | undefined) =>
      (await indexes.of(worktree).query('zz', 50)).map(({ path }) => path).filter((path) => path.endsWith('.txt'));
    assert.deepEqual(await paths(desk.outside), [join(desk.outside, 'zzthere.txt')]);
    assert.deepEqual(await paths(undefined), [desk.path('zzhere.txt')]);
    indexes.dispose();
  });

  it('offers what the user looks at for the empty question', async () => {
    desk.put('zza.txt', '');
    desk.put('zzb.txt', '');
    await desk.open('zza.txt');
    index = new FileIndex(silentLogger, systemClock);
    await desk.open('zzb.txt');
    assert.deepEqual((await names('')).slice(0, 2), ['zzb.txt', 'zza.txt']);
    assert.equal((await index.query('', 3)).length, 3);
  });
});
