import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { asOpened, checkPath, isAbsolutePath, pathKey, withoutDots } from '../../../../src/host/files/pathPolicy';

describe('the name under which a file is opened', () => {
  it.each<[path: string, platform: NodeJS.Platform, opened: string]>([
    ['C:\\app\\.npmrc.', 'win32', 'C:\\app\\.npmrc'],
    ['C:\\app. \\.env . ', 'win32', 'C:\\app\\.env'],
    ['C:\\app\\..\\a.b', 'win32', 'C:\\app\\..\\a.b'],
    ['/app/.npmrc.', 'linux', '/app/.npmrc.'],
    ['C:\\app\\.npmrc::$DATA', 'win32', 'C:\\app\\.npmrc'],
    ['c:\\app\\.npmrc.:x', 'win32', 'c:\\app\\.npmrc'],
    ['C:\\app\\.git::$INDEX_ALLOCATION\\config', 'win32', 'C:\\app\\.git\\config'],
    ['/app/a:b', 'linux', '/app/a:b'],
    ['/System/Volumes/Data/Users/me/.env', 'darwin', '/Users/me/.env'],
    ['/System/Volumes/Database', 'darwin', '/System/Volumes/Database'],
    ['/System/Volumes/Data/x', 'linux', '/System/Volumes/Data/x'],
  ])('%s on %s is %s', (path, platform, opened) => expect(asOpened(path, platform)).toBe(opened));
});

describe('absolute paths', () => {
  it.each<[path: string, platform: NodeJS.Platform, absolute: boolean]>([
    ['/a/b', 'linux', true],
    ['a/b', 'linux', false],
    ['./a', 'linux', false],
    ['~/a', 'linux', false],
    ['', 'linux', false],
    ['file:///a', 'linux', false],
    ['C:\\a', 'linux', false],
    ['/a\0b', 'linux', false],
    ['C:\\a', 'win32', true],
    ['c:/a', 'win32', true],
    ['C:a', 'win32', false],
    ['\\a', 'win32', false],
    ['/a', 'win32', false],
    ['\\\\server\\share\\a', 'win32', true],
    ['\\\\.\\PhysicalDrive0', 'win32', false],
    ['\\\\?\\C:\\a', 'win32', false],
    ['file:///C:/a', 'win32', false],
  ])('%j on %s: %s', (path, platform, absolute) => {
    expect(isAbsolutePath(path, platform)).toBe(absolute);
  });
});

describe('spellings of a path', () => {
  it('both slashes, every case and every storage of an accent are one path', () => {
    expect(pathKey('C:/App/a.ts', 'win32')).toBe(pathKey('c:\\app\\A.ts', 'win32'));
    expect(pathKey('/App/e\u0301', 'darwin')).toBe(pathKey('/app/\u00e9', 'darwin'));
    expect(pathKey('/App/a\\b', 'linux')).toBe('/App/a\\b');
  });
});

describe('where a path leads', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-paths-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'root/sub'), { recursive: true });
  mkdirSync(join(folder, 'other'));
  writeFileSync(join(folder, 'other/secret'), '');
  symlinkSync(join(folder, 'other'), join(folder, 'root/out'));
  symlinkSync(join(folder, 'other/later'), join(folder, 'root/dangling'));
  symlinkSync('sub', join(folder, 'root/in'));
  symlinkSync('loop', join(folder, 'root/loop'));
  symlinkSync(join(folder, 'root'), join(folder, 'alias'));

  it.each([
    ['root/sub/../a', 'root/a'],
    ['root/out/../secret', 'secret'],
    ['root/in/../a', 'root/a'],
    ['root/dangling/../x', 'other/x'],
    ['root/new/../a', 'root/a'],
    ['root/out/x', 'root/out/x'],
  ])('%s is %s when `..` is followed on the disk', async (path, expected) => {
    expect(await withoutDots(`${folder}/${path}`)).toBe(join(folder, expected));
  });

  it.each<[path: string, inside: boolean, real: string]>([
    ['root/a', true, 'root/a'],
    ['root/new/deep/file', true, 'root/new/deep/file'],
    ['root/sub/../a', true, 'root/a'],
    ['root/../other/secret', false, 'other/secret'],
    ['root/out/secret', false, 'other/secret'],
    ['root/out/new/file', false, 'other/new/file'],
    ['root/dangling', false, 'other/later'],
    ['root/in/file', true, 'root/sub/file'],
    ['alias/sub', true, 'root/sub'],
    ['rooted', false, 'rooted'],
  ])('%s: inside %s, really %s', async (path, inside, real) => {
    expect(await checkPath(`${folder}/${path}`, [join(folder, 'root')])).toMatchObject({
      inside,
      real: join(folder, real),
    });
    // The same where the root itself is named through a link.
    expect(await checkPath(`${folder}/${path}`, [join(folder, 'alias')])).toMatchObject({ inside });
  });

  it('a root in another one that is exchanged for a link later does not take what is outside into reach', async () => {
    mkdirSync(join(folder, 'root/nested'));
    const roots = [join(folder, 'root'), join(folder, 'root/nested')];
    const asked = join(folder, 'root/nested/secret');
    expect(await checkPath(asked, roots)).toMatchObject({ inside: true });
    rmSync(join(folder, 'root/nested'), { recursive: true });
    symlinkSync(join(folder, 'other'), join(folder, 'root/nested'));
    expect(await checkPath(asked, roots)).toMatchObject({ inside: false, real: join(folder, 'other/secret') });
    rmSync(join(folder, 'root/nested'));
  });

  it('a link in a circle is no way out and no hang', async () => {
    expect(await checkPath(join(folder, 'root/loop/x'), [join(folder, 'root')])).toMatchObject({ inside: true });
  });
});
