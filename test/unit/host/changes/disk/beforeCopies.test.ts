import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../../../src/base/log';
import { BeforeCopies } from '../../../../../src/host/changes/disk/beforeCopies';
import { sha256 } from '../../../../../src/host/storage/contentName';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'copies-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const bytes = (value: number, size = 40) => Buffer.alloc(size, value);
const content = (value: Buffer) => ({ kind: 'binary' as const, digest: sha256(value) });
const copies = () => new BeforeCopies(join(root, 'copies'), silentLogger, 100);

function put(name: string, value: Buffer): string {
  writeFileSync(join(root, name), value);
  return join(root, name);
}

it('a file is copied once for many turns, and the copy stays when the file changes', async () => {
  const made = copies();
  made.begin();
  const path = put('a', bytes(1));
  const first = await made.take(path, content(bytes(1)));
  made.begin();
  expect(await made.take(path, content(bytes(1)))).toBe(first);
  put('a', bytes(2));
  expect(readFileSync(first!.file)).toEqual(bytes(1));
});

it('a file that is not any more what was seen of it has no copy', async () => {
  const made = copies();
  expect(await made.take(put('a', bytes(2)), content(bytes(1)))).toBeUndefined();
  expect(await made.take(join(root, 'gone'), content(bytes(1)))).toBeUndefined();
});

it('where there is no room, copies of earlier turns go, and none of this one', async () => {
  const made = copies();
  made.begin();
  const [a, b] = [
    await made.take(put('a', bytes(1)), content(bytes(1))),
    await made.take(put('b', bytes(2)), content(bytes(2))),
  ];
  expect(await made.take(put('c', bytes(3)), content(bytes(3)))).toBeUndefined();
  made.begin();
  await made.take(put('a', bytes(1)), content(bytes(1)));
  expect(await made.take(put('c', bytes(3)), content(bytes(3)))).toBeDefined();
  expect([existsSync(a!.file), existsSync(b!.file)]).toEqual([true, false]);
});

it('a file over 50 MB is not copied, and what an earlier run left is gone', async () => {
  mkdirSync(join(root, 'copies'));
  writeFileSync(join(root, 'copies', sha256(bytes(1))), bytes(1));
  const path = put('large', bytes(0));
  truncateSync(path, 50 * 1024 * 1024 + 1);
  const made = new BeforeCopies(join(root, 'copies'), silentLogger);
  expect(await made.take(path, content(bytes(0)))).toBeUndefined();
  expect(readdirSync(join(root, 'copies'))).toEqual([]);
});
