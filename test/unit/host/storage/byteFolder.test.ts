import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { ByteFolder } from '../../../../src/host/storage/byteFolder';
import { sha256 } from '../../../../src/host/storage/contentName';
import { storeFiles } from '../../../../src/host/storage/storeFiles';

let root: string;
let folder: ByteFolder;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bytes-'));
  folder = new ByteFolder(join(root, 'kept'), silentLogger);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const bytes = (text: string) => Buffer.from(`\0${text}`);
const kept = (content: Buffer) => ({ name: sha256(content), size: content.length });
const names = () => readdirSync(join(root, 'kept')).sort();

it('what is put can be read at once and lies there once under its SHA-256', async () => {
  expect(folder.put(bytes('a'))).toEqual(kept(bytes('a')));
  folder.put(bytes('a'));
  expect(await folder.read(kept(bytes('a')))).toEqual(bytes('a'));
  expect(names()).toEqual([sha256(bytes('a'))]);
});

it('a file is copied as it stands, up to a size, and nothing half is left of one that is larger', async () => {
  writeFileSync(join(root, 'file'), bytes('123456789'));
  expect(await folder.take(join(root, 'file'), 9)).toBeUndefined();
  expect(await folder.take(join(root, 'file'), 10)).toEqual(kept(bytes('123456789')));
  writeFileSync(join(root, 'file'), bytes('other'));
  expect(await folder.read(kept(bytes('123456789')))).toEqual(bytes('123456789'));
  expect(names()).toEqual([sha256(bytes('123456789'))]);
});

it('the end of the window writes what waits to be written', () => {
  folder.put(bytes('a'));
  folder.flushSync();
  expect(readFileSync(join(root, 'kept', sha256(bytes('a'))))).toEqual(bytes('a'));
});

it('another folder takes what is kept here, and keeps it when it is gone here', async () => {
  const other = new ByteFolder(join(root, 'other'), silentLogger);
  await other.takeFrom(folder, folder.put(bytes('a')));
  await folder.sweep(() => false);
  expect(await other.read(kept(bytes('a')))).toEqual(bytes('a'));
});

it('what is not what was kept is never handed out', async () => {
  folder.put(bytes('a'));
  await folder.settled();
  writeFileSync(join(root, 'kept', sha256(bytes('a'))), bytes('b'));
  await expect(folder.read(kept(bytes('a')))).rejects.toThrow('damaged or missing');
  await expect(folder.read(kept(bytes('never')))).rejects.toThrow('damaged or missing');
});

it('a sweep leaves what is wanted, used or put meanwhile, and takes what a crash left half written', async () => {
  for (const name of ['wanted', 'used', 'old']) folder.put(bytes(name));
  await folder.settled();
  writeFileSync(join(root, 'kept', `${sha256(bytes('x'))}.0-1.half`), 'x');
  writeFileSync(join(root, 'kept', 'index.json'), '{}');
  await folder.use(kept(bytes('used')), async () => {
    const sweep = folder.sweep((name) => name === sha256(bytes('wanted')));
    folder.put(bytes('fresh'));
    await sweep;
  });
  await folder.settled();
  expect(names()).toEqual([...['wanted', 'used', 'fresh'].map((name) => sha256(bytes(name))), 'index.json'].sort());
});

it('a file that bears its name is whole: a write that is cut off leaves none', async () => {
  const half = new ByteFolder(join(root, 'kept'), silentLogger, {
    ...storeFiles,
    write: async (file, content) => {
      writeFileSync(file, content.slice(0, 1));
      throw new Error('no space');
    },
  });
  mkdirSync(join(root, 'kept'));
  const put = half.put(bytes('a'));
  await expect(half.settled()).rejects.toThrow('can’t back up the current content: no space');
  expect(names()).toEqual([]);
  await expect(half.read(put)).rejects.toThrow('can’t back up');
});
