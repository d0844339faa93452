import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { missingOf } from '../../../../src/host/changes/disk/missingFiles';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'missing-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const many = Array.from({ length: 12 }, (_, i) => `new${i}.ts`);

it.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['among few', ['a.ts'], ['a.ts', 'b.ts'], ['b.ts']],
  ['among many of one folder', ['a.ts', '.env', 'with space.ts'], [...many, 'a.ts', '.env', 'with space.ts'], many],
  ['where the folder is missing too', [], many.map((name) => `none/${name}`), many.map((name) => `none/${name}`)],
  ['where a file stands for the folder', ['file'], many.map((name) => `file/${name}`), many.map((name) => `file/${name}`)],
  ['in a folder whose names say nothing for certain', ['Ärger.ts', 'a.ts'], [...many, 'Ärger.ts', 'a.ts'], many],
  ['in a folder that is too large to list', Array.from({ length: 2_100 }, (_, i) => `old${i}`), [...many, 'old7'], many],
  ['in several folders', ['x/a.ts', 'y/b.ts'], [...many.map((name) => `x/${name}`), 'x/a.ts', 'y/a.ts', 'y/b.ts'], [...many.map((name) => `x/${name}`), 'y/a.ts']],
])('finds which files are missing %s', async (_, there, asked, missing) => {
  for (const name of there) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), '');
  }
  const found = await missingOf(asked.map((name) => path.join(root, name)));
  expect([...found].sort()).toEqual(missing.map((name) => path.join(root, name)).sort());
});

it('takes 100,000 names of one folder as many', async () => {
  const started = performance.now();
  expect((await missingOf(Array.from({ length: 100_000 }, (_, i) => path.join(root, `new${i}.ts`)))).size).toBe(100_000);
  expect(performance.now() - started).toBeLessThan(5_000);
});

it('takes a file for there whose name some disks take for the same', async () => {
  writeFileSync(path.join(root, 'README.md'), '');
  // Here `readme.md` may be missing: then a look at just that file says so.
  const found = await missingOf([...many, 'readme.md', 'README.md'].map((name) => path.join(root, name)));
  expect(found.has(path.join(root, 'README.md'))).toBe(false);
  expect(found.size).toBeGreaterThanOrEqual(many.length);
});
