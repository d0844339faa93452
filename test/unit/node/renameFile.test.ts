import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { renameFile, renameFileSync } from '../../../src/node/renameFile';

/** Fails so many times, as Windows does while another program has the file open. */
function busy(times: number, code: string) {
  const calls: string[] = [];
  return {
    calls,
    call: (from: string, to: string) => {
      calls.push(`${from} ${to}`);
      if (calls.length <= times) throw Object.assign(new Error(code), { code });
    },
  };
}

it.each<[code: string, platform: NodeJS.Platform, times: number, tries: number | undefined]>([
  ['EPERM', 'win32', 2, 3],
  ['EBUSY', 'win32', 5, 6],
  ['EACCES', 'win32', 1, 2],
  ['EPERM', 'win32', 6, undefined],
  ['ENOENT', 'win32', 1, undefined],
  ['EPERM', 'linux', 1, undefined],
  ['EACCES', 'darwin', 1, undefined],
])('%s on %s, %i times: renamed at attempt %s', async (code, platform, times, tries) => {
  const pauses: number[] = [];
  const options = { platform, pause: (ms: number) => pauses.push(ms) };
  const [later, atOnce] = [busy(times, code), busy(times, code)];
  const renaming = renameFile('a', 'b', later.call, options);
  const renamingAtOnce = () => renameFileSync('a', 'b', atOnce.call, options);
  if (tries === undefined) {
    await expect(renaming).rejects.toMatchObject({ code });
    expect(renamingAtOnce).toThrow(code);
  } else {
    await renaming;
    renamingAtOnce();
    expect([later.calls.length, atOnce.calls.length, pauses.length]).toEqual([tries, tries, 2 * (tries - 1)]);
  }
  expect(pauses.slice(0, 5).reduce((sum, ms) => sum + ms, 0)).toBeLessThan(500);
});

it('replaces a file, with real pauses', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-rename-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, to] = [join(folder, 'new'), join(folder, 'old')];
  writeFileSync(to, 'old');
  writeFileSync(from, 'first');
  await renameFile(from, to);
  expect(readFileSync(to, 'utf8')).toBe('first');
  writeFileSync(from, 'second');
  renameFileSync(from, to);
  expect(readFileSync(to, 'utf8')).toBe('second');
  const { calls, call } = busy(1, 'EBUSY');
  renameFileSync('a', 'b', call, { platform: 'win32' });
  expect(calls).toHaveLength(2);
});
