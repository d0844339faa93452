import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { renameFile, renameFileSync } from '../../../src/node/renameFile';
import { untilFree } from '../../../src/node/untilFree';

const system = process.platform;
const runOn = (platform: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value: platform });
afterEach(() => void runOn(system));

/** Fails so many times, as Windows does while another program has the file open. */
function busy(times: number, code: string) {
  const tries = { count: 0 };
  const call = () => {
    if (++tries.count <= times) throw Object.assign(new Error(code), { code });
  };
  return { tries, call };
}

it.each<[code: string, times: number, tries: number | undefined]>([
  ['EPERM', 2, 3],
  ['EBUSY', 5, 6],
  ['EACCES', 1, 2],
  ['EPERM', 6, undefined],
  ['ENOENT', 1, undefined],
])('%s of Windows, %i times: done at attempt %s', async (code, times, tries) => {
  const pauses: number[] = [];
  const [later, atOnce] = [busy(times, code), busy(times, code)];
  runOn('win32');
  const doing = untilFree(later.call, (ms) => pauses.push(ms));
  const renaming = () => renameFileSync('a', 'b', atOnce.call);
  if (tries === undefined) {
    await expect(doing).rejects.toMatchObject({ code });
    expect(renaming).toThrow(code);
  } else {
    await doing;
    renaming();
    expect([later.tries.count, atOnce.tries.count, pauses.length]).toEqual([tries, tries, tries - 1]);
  }
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(500);
});

it('elsewhere such an error does not pass by itself', () => {
  const { tries, call } = busy(1, 'EPERM');
  runOn('linux');
  expect(() => renameFileSync('a', 'b', call)).toThrow('EPERM');
  expect(tries.count).toBe(1);
});

it.each<NodeJS.Platform>(['linux', 'win32'])('replaces a file: %s', async (platform) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-rename-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, to] = [join(folder, 'new'), join(folder, 'old')];
  writeFileSync(to, 'old');
  writeFileSync(from, 'first');
  runOn(platform);
  await renameFile(from, to);
  expect(readFileSync(to, 'utf8')).toBe('first');
  writeFileSync(from, 'second');
  renameFileSync(from, to);
  expect(readFileSync(to, 'utf8')).toBe('second');
});
