import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderContents, folderReader } from '../../../../src/host/permissions/folderContents';
import { guardMatcher } from '../../../../src/changes/guardedFiles';

describe('what lies in a folder that a permission is asked for', () => {
  let root = '';
  beforeAll(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-contents-')));
    for (const folder of ['app/src/deep', 'app/node_modules/x', 'app/.git', 'beside'])
      await mkdir(path.join(root, folder), { recursive: true });
    for (const file of ['app/src/deep/a.ts', 'app/node_modules/x/.env', 'app/.git/config', 'beside/secret'])
      await writeFile(path.join(root, file), '');
    await symlink(path.join(root, 'app/src'), path.join(root, 'app/link'));
    await symlink(path.join(root, 'beside'), path.join(root, 'app/src/out'));
  });
  afterAll(() => rm(root, { recursive: true }));

  const look = (folder: string, now = () => 0) =>
    folderContents(
      path.join(root, folder),
      [path.join(root, 'app')],
      [path.join(root, 'app')],
      guardMatcher(['.env*', '.git/**']),
      { now },
    );

  it('is named from the folder of the session, and links are not followed', async () => {
    const contents = await look('app/src');
    expect(contents?.names.toSorted()).toEqual(['src/deep', 'src/deep/a.ts', 'src/out']);
    expect(contents).toMatchObject({ complete: true, leadsOut: 'src/out' });
    expect(await look('app/src/deep')).not.toHaveProperty('leadsOut');
    expect(contents).not.toHaveProperty('guarded');
  });

  it('is named by a link that leads there as well', async () =>
    expect((await look('app/link'))?.names).toEqual(expect.arrayContaining(['src/deep/a.ts', 'link/deep/a.ts'])));

  it('of a folder around that of the session is what lies in that', async () => {
    expect((await look('.'))?.names).toContain('src/deep/a.ts');
    expect((await look('.'))?.names.join(' ')).not.toContain('secret');
    expect(await look('beside')).toBeUndefined();
  });

  it('tells what is guarded, but not in installed packages', async () => {
    expect(await look('app')).toMatchObject({ guarded: '.git' });
    expect(await look('app/node_modules')).not.toHaveProperty('guarded');
  });

  it('of a file or of nothing there is none', async () => {
    expect(await look('app/src/deep/a.ts')).toBeUndefined();
    expect(await look('app/none')).toBeUndefined();
  });

  it('is read once for a question, and what all folders hold together is bounded', async () => {
    const roots = [path.join(root, 'app')];
    const read = folderReader(roots, roots, () => false, { now: () => 0 });
    expect(read(path.join(root, 'app/src'))).toBe(read(path.join(root, 'app/src')));
    expect(
      await folderContents(path.join(root, 'app'), roots, roots, () => false, { now: () => 0 }, { entries: 3 }),
    ).toMatchObject({ complete: false, guardsComplete: false });
  });

  it('says when there was no time to look at all of it', async () => {
    let time = 0;
    expect(await look('app', () => (time += 300))).toMatchObject({ complete: false, guardsComplete: false });
    expect(await look('app/node_modules', () => (time += 300))).toMatchObject({ guardsComplete: true });
  });
});
