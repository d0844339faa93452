import { linkSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderSize } from '../../../src/node/folderSize';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'parley-'));
  mkdirSync(join(top, 'inner/deep'), { recursive: true });
  for (let i = 0; i < 150; i++) writeFileSync(join(top, `inner/${i}.txt`), 'x'.repeat(5_000));
  writeFileSync(join(top, 'inner/deep/last.txt'), 'x');
});
afterEach(() => rmSync(top, { recursive: true }));

const onDisk = (name: string) => statSync(join(top, name)).blocks * 512;
const always = () => true;

it('is what all files take on disk, without what links lead to, and with hard links once', async () => {
  const expected = 150 * onDisk('inner/0.txt') + onDisk('inner/deep/last.txt');
  expect(await folderSize(top, always)).toEqual({ bytes: expected, isMore: false });
  linkSync(join(top, 'inner/0.txt'), join(top, 'again.txt'));
  symlinkSync(top, join(top, 'loop'));
  const { bytes, isMore } = await folderSize(top, always);
  expect(isMore).toBe(false);
  expect(bytes - expected).toBeLessThanOrEqual(4096);
});

it('is counted up to a number of files, or until nobody wants it', async () => {
  const capped = await folderSize(top, always, 100);
  expect(capped.isMore).toBe(true);
  expect(capped.bytes).toBeLessThanOrEqual(100 * onDisk('inner/0.txt'));
  let asked = 0;
  expect((await folderSize(top, () => ++asked < 10)).isMore).toBe(true);
  expect(asked).toBe(10);
});

it('is nothing where there is no folder', async () => {
  expect(await folderSize(join(top, 'gone'), always)).toEqual({ bytes: 0, isMore: false });
});
