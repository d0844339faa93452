import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { existingPaths } from '../../../../src/host/panel/panelQuestions';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-paths-'));
mkdirSync(path.join(folder, 'work/src'), { recursive: true });
writeFileSync(path.join(folder, 'work/src/a.ts'), '');
writeFileSync(path.join(folder, 'outside.ts'), '');
afterAll(() => rmSync(folder, { recursive: true }));

it('finds what is there in the folders, and looks nowhere else', async () => {
  const cwd = path.join(folder, 'work');
  expect(
    await existingPaths(
      [
        'src/a.ts',
        './src/a.ts',
        'src/b.ts',
        '../outside.ts',
        path.join(folder, 'outside.ts'),
        path.join(cwd, 'src/a.ts'),
        '/etc/passwd',
        '//host/share/a.ts',
      ],
      cwd,
      [cwd],
    ),
  ).toEqual(['src/a.ts', './src/a.ts', path.join(cwd, 'src/a.ts')]);
  const fromHome = `~/${path.relative(homedir(), path.join(cwd, 'src/a.ts'))}`;
  expect(await existingPaths([fromHome, '~/a.ts'], cwd, [cwd])).toEqual([fromHome]);
  expect(await existingPaths(['src/a.ts'], '', [''])).toEqual([]);
  expect(await existingPaths([path.join(folder, 'outside.ts')], cwd, [cwd, folder])).toEqual([
    path.join(folder, 'outside.ts'),
  ]);
});
