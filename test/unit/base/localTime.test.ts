import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { fromLocal, toLocal } from '../../../src/base/localTime';

/** A moment as local time and back, in a process of its own: a zone is that of a whole process. */
async function inZone(zone: string, moment: string): Promise<string[]> {
  const contents = `import { fromLocal, toLocal } from './localTime'; const local = toLocal('${moment}'); console.log(JSON.stringify([local, fromLocal(local)]));`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(import.meta.dirname, '../../../src/base') },
    bundle: true,
    write: false,
    format: 'esm',
  });
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', outputFiles[0]!.text], {
      env: { ...process.env, TZ: zone },
      encoding: 'utf8',
    }),
  ) as string[];
}

it.each([
  ['UTC', '2026-11-20T14:30:00Z', '2026-11-20T14:30'],
  ['Asia/Kolkata', '2026-11-20T14:30:05Z', '2026-11-20T20:00:05'],
  ['America/New_York', '2026-07-01T02:00:00Z', '2026-06-30T22:00'],
])('in %s the moment %s is %s, and back', async (zone, moment, local) => {
  expect(await inZone(zone, moment)).toEqual([local, moment]);
});

it('a moment with an offset is the same moment', async () => {
  expect(await inZone('UTC', '2026-11-20T14:30:00+05:30')).toEqual(['2026-11-20T09:00', '2026-11-20T09:00:00Z']);
});

it.each(['', 'soon', '2026-13-01'])('%j is no moment', (text) => {
  expect(toLocal(text)).toBe('');
  expect(fromLocal(text)).toBe('');
});
