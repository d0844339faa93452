import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../../../src/base/log';
import { LargeFiles } from '../../../../../src/host/changes/disk/largeFiles';
import { sha256 } from '../../../../../src/host/storage/contentName';
import { ContentStore } from '../../../../../src/host/storage/contentStore';

let root: string;
let contents: ContentStore;
let large: LargeFiles;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'large-'));
  contents = new ContentStore(join(root, 'store'), silentLogger);
  large = new LargeFiles(contents, silentLogger, 100);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const bytes = (value: number) => Buffer.alloc(40, value);
const take = (name: string, seen: Buffer, is = seen) => {
  writeFileSync(join(root, name), is);
  return large.take(join(root, name), { kind: 'binary', digest: sha256(seen) });
};
const copies = () => (existsSync(join(root, 'store')) ? readdirSync(join(root, 'store')).length : 0);

it('a file is copied once for many turns, and its copy outlives sweeps and changes of the file', async () => {
  const first = await take('a', bytes(1));
  large.begin();
  expect(await take('a', bytes(1))).toBe(first);
  writeFileSync(join(root, 'a'), bytes(2));
  for (let i = 0; i < 3; i++) await contents.sweep();
  expect(await contents.read(first!)).toEqual(bytes(1));
});

it('a file that no longer is what was seen, or is gone, has no copy', async () => {
  expect(await take('a', bytes(1), bytes(2))).toBeUndefined();
  expect(await large.take(join(root, 'gone'), { kind: 'binary', digest: sha256(bytes(1)) })).toBeUndefined();
});

it('if there is no room, copies of earlier turns go, none of this one, and nothing is copied in vain', async () => {
  for (const name of [1, 2]) await take(String(name), bytes(name));
  expect([await take('3', bytes(3)), copies()]).toEqual([undefined, 2]);
  large.begin();
  await take('1', bytes(1));
  expect(await take('3', bytes(3))).toBeDefined();
  for (let i = 0; i < 2; i++) await contents.sweep();
  expect(copies()).toBe(2);
  writeFileSync(join(root, 'huge'), '');
  truncateSync(join(root, 'huge'), 50 * 1024 * 1024 + 1);
  expect([await large.take(join(root, 'huge'), { kind: 'binary', digest: 'x' }), copies()]).toEqual([undefined, 2]);
});
