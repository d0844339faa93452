import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readArchive, sha256, writeArchive } from '../../launch/archive.mjs';
import {
  isMisplaced,
  nativeFiles,
  nativePlatformsOf,
  platformOf,
  targets,
  vsixName,
  wrongFiles,
} from '../../launch/vsixTargets.mjs';

const root = path.join(import.meta.dirname, '../../..');

const common = [
  'package.json',
  'package.nls.json',
  'package.nls.zh-cn.json',
  'l10n/bundle.l10n.zh-cn.json',
  'readme.md',
  'changelog.md',
  'LICENSE.txt',
  'media/icon.svg',
  'media/icon.png',
  'media/runtime.json',
  'dist/codicon.ttf',
  'dist/third-party-notices.txt',
];
const ptyCode = ['package.json', 'LICENSE', 'lib/index.js'].map((file) => `node_modules/node-pty/${file}`);

describe('the packages for each platform', () => {
  it('are those of the issue', () => {
    expect(targets).toEqual([
      'linux-x64',
      'linux-arm64',
      'darwin-x64',
      'darwin-arm64',
      'win32-x64',
      'win32-arm64',
      'alpine-x64',
      'universal',
    ]);
    expect(() => nativePlatformsOf('linux-riscv')).toThrow('There is no target "linux-riscv"');
  });

  it.each(targets)('%s has its own native files and no others', (target) => {
    const own = nativePlatformsOf(target).flatMap(nativeFiles);
    const whole = [...common, ...(own.length > 0 ? ptyCode : []), ...own];
    expect(wrongFiles(whole, target)).toEqual([]);
    for (const file of own)
      expect(
        wrongFiles(
          whole.filter((name) => name !== file),
          target,
        ),
      ).toEqual([`is missing: ${file}`]);
    const foreign = nativePlatformsOf(undefined)
      .filter((platform) => platform !== target)
      .flatMap(nativeFiles);
    expect(wrongFiles([...whole, ...foreign], target)).toEqual(foreign.map((file) => `does not belong: ${file}`));
  });

  it('Alpine and the one for all others have no code of node-pty', () => {
    for (const target of ['alpine-x64', 'universal'])
      expect(wrongFiles([...common, ptyCode[2]!], target)).toEqual([`does not belong: ${ptyCode[2]}`]);
  });

  it('a map of the build, a test or a source does not belong, and what the build made is missed', () => {
    expect(wrongFiles([...common, 'dist/extension.mjs.map', 'src/extension.ts', '.env'], 'universal')).toHaveLength(3);
    expect(wrongFiles(common, 'universal', ['dist/extension.mjs'])).toEqual(['is missing: dist/extension.mjs']);
  });

  it('have names of their own', () => {
    const manifest = { name: 'parley', version: '1.2.3' };
    expect(vsixName(manifest)).toBe('parley-1.2.3.vsix');
    expect(vsixName(manifest, 'darwin-arm64')).toBe('parley-darwin-arm64-1.2.3.vsix');
    expect(platformOf('alpine-x64')).toBe('alpine-x64');
    expect(platformOf('universal')).toBeUndefined();
  });

  it.each(nativePlatformsOf(undefined))('the native files of node-pty for %s were made for it', (platform) => {
    for (const file of nativeFiles(platform)) {
      const content = readFileSync(path.join(root, file));
      expect(isMisplaced(file, content)).toBe(false);
      expect(isMisplaced(file.replace(platform, platform === 'linux-x64' ? 'win32-x64' : 'linux-x64'), content)).toBe(
        true,
      );
    }
  });
});

describe('an archive', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'parley-archive-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const date = new Date('2026-01-02T03:04:06Z');
  const files: [string, Buffer][] = [
    ['extension/b.txt', Buffer.from('b')],
    ['extension/a/spawn-helper', Buffer.from('program')],
    ['[Content_Types].xml', Buffer.from('<Types/>')],
  ];

  it('is the same in whatever time zone it is made and in whatever order its files come', async () => {
    const [one, two] = [path.join(folder, 'one.zip'), path.join(folder, 'two.zip')];
    await writeArchive(one, new Map(files), date);
    // The zone of a running process stays.
    const program = `
      import { writeArchive } from ${JSON.stringify(pathToFileURL(path.join(root, 'test/launch/archive.mjs')).href)};
      const files = ${JSON.stringify(files.toReversed().map(([name, content]) => [name, content.toString()]))};
      const contents = new Map(files.map(([name, text]) => [name, Buffer.from(text)]));
      await writeArchive(${JSON.stringify(two)}, contents, new Date(${date.getTime()}));
      console.log(new Date(${date.getTime()}).getTimezoneOffset());`;
    const env = { ...process.env, TZ: 'Pacific/Auckland' };
    const args = ['--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(Number(stdout)).toBe(-13 * 60);
    expect(sha256(two)).toBe(sha256(one));
    expect([...(await readArchive(one))]).toEqual(files.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });

  it('has one time for all, and marks the one program', async () => {
    const zip = path.join(folder, 'one.zip');
    await writeArchive(zip, new Map(files), date);
    const bytes = readFileSync(zip);
    /** Of the entries of the central directory: DOS time and date, and the mode. */
    const entries = [...bytes.toString('latin1').matchAll(/PK\x01\x02/g)].map(({ index }) => [
      bytes.readUInt32LE(index + 12),
      bytes.readUInt32LE(index + 38) >>> 16,
    ]);
    const time = (3 << 11) | (4 << 5) | (6 / 2);
    const day = ((2026 - 1980) << 9) | (1 << 5) | 2;
    const stamp = ((day << 16) | time) >>> 0;
    expect(entries).toEqual([
      [stamp, 0o100644],
      [stamp, 0o100755],
      [stamp, 0o100644],
    ]);
  });
});
