import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { overwriteFile } from '../../../src/node/changeFiles';
import { whileLocked } from '../../../src/node/fileLock';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-lock-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const locks = () =>
  readdirSync(folder)
    .filter((name) => name.startsWith('parley-locks'))
    .flatMap((name) => readdirSync(join(folder, name)).map((lock) => join(folder, name, lock)));

it('of two writes that expect the same bytes at the same moment, one is refused', async () => {
  const file = join(folder, 'a.txt');
  for (let round = 0; round < 50; round++) {
    writeFileSync(file, 'before');
    const write = (text: string) => overwriteFile(file, Buffer.from(text), (now) => now.toString() === 'before');
    const done = await Promise.all([write('first'), write('second')]);
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe(done[0] ? 'first' : 'second');
  }
  expect(locks()).toEqual([]);
});

it('work on other files goes on meanwhile, and a failure releases the lock', async () => {
  const order: string[] = [];
  await whileLocked(join(folder, 'a'), async () => {
    await whileLocked(join(folder, 'b'), async () => void order.push('b'));
    order.push('a');
  });
  expect(order).toEqual(['b', 'a']);
  await expect(whileLocked(join(folder, 'a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(locks()).toEqual([]);
});

it.each([
  ['a host that was killed', '2147483646'],
  ['nobody', '0'],
])('what %s has left behind holds nobody up for long', async (_, pid) => {
  let lock = '';
  await whileLocked(join(folder, 'a'), async () => void (lock = locks()[0]!));
  writeFileSync(lock, pid);
  let isDone = false;
  await whileLocked(join(folder, 'a'), async () => void (isDone = true));
  expect(isDone).toBe(true);
});

it('a lock that is older than any write holds nobody up, although its process lives', async () => {
  let lock = '';
  await whileLocked(join(folder, 'a'), async () => void (lock = locks()[0]!));
  writeFileSync(lock, String(process.pid));
  const old = new Date(Date.now() - 60_000);
  utimesSync(lock, old, old);
  const began = performance.now();
  await whileLocked(join(folder, 'a'), async () => undefined);
  expect([performance.now() - began < 1_500, locks()]).toEqual([true, []]);
});

it('work is done without a lock where none can be made', async () => {
  vi.stubEnv('TMPDIR', join(folder, 'gone', 'is a file'));
  writeFileSync(join(folder, 'gone'), '');
  expect(await whileLocked(join(folder, 'a'), async () => existsSync(folder))).toBe(true);
});
