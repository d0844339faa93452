import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseNewLink } from '../../../../src/host/files/newLinks';

const before = 0;
const after = () => Date.now() + 60_000;

describe('Undo and Restore behind links', () => {
  let base: string;
  let root: string;
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-links-')));
    root = join(base, 'root');
    for (const folder of ['root/folder', 'root/other', 'outside/folder']) mkdirSync(join(base, folder), { recursive: true });
    for (const file of ['root/folder/a.txt', 'root/other/a.txt', 'outside/a.txt', 'outside/folder/a.txt']) writeFileSync(join(base, file), 'x');
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const refused = (path: string, since: number | undefined) => refuseNewLink(join(base, path), [root], since).then(() => false, (error: Error) => error.message);

  it('a file in the folders, and one that is not there, are written', async () => {
    expect(await refused('root/folder/a.txt', before)).toBe(false);
    expect(await refused('root/none/at all.txt', before)).toBe(false);
  });

  it('a link to elsewhere in the folders is followed, however new', async () => {
    rmSync(join(root, 'folder'), { recursive: true });
    symlinkSync('other', join(root, 'folder'));
    expect(await refused('root/folder/a.txt', before)).toBe(false);
  });

  it('a folder that became a link to outside is not followed, and the words say where it leads', async () => {
    renameSync(join(root, 'folder'), join(root, 'aside'));
    symlinkSync(join(base, 'outside'), join(root, 'folder'));
    const words = await refused('root/folder/a.txt', before);
    expect(words).toContain(join(root, 'folder'));
    expect(words).toContain(join(base, 'outside/a.txt'));
    expect(await refused('root/folder/deep/new.txt', before)).not.toBe(false);
  });

  it('nor is a file that became one, also where its target is not there yet', async () => {
    for (const target of ['outside/a.txt', 'outside/new.txt']) {
      rmSync(join(root, 'folder/a.txt'));
      symlinkSync(join(base, target), join(root, 'folder/a.txt'));
      expect(await refused('root/folder/a.txt', before)).toContain(join(base, target));
    }
  });

  it('one that is older than the session is the person\'s', async () => {
    symlinkSync(join(base, 'outside'), join(root, 'shared'));
    expect(await refused('root/shared/a.txt', after())).toBe(false);
    expect(await refused('root/shared/deep/new.txt', after())).toBe(false);
    expect(await refused('root/shared/a.txt', undefined)).not.toBe(false);
  });

  it('a new link behind an old one is new', async () => {
    symlinkSync('../outside', join(root, 'shared'));
    const begun = Date.now() + 20;
    while (Date.now() < begun) await new Promise((resolve) => setImmediate(resolve));
    expect(await refused('root/shared/folder/a.txt', begun)).toBe(false);
    while (Date.now() < begun + 20) await new Promise((resolve) => setImmediate(resolve));
    renameSync(join(base, 'outside/folder'), join(base, 'outside/aside'));
    symlinkSync('aside', join(base, 'outside/folder'));
    expect(await refused('root/shared/folder/a.txt', begun)).toContain(join(base, 'outside/folder'));
  });

  it('a file outside that the person allowed, without a link, is written; a circle of links is not', async () => {
    expect(await refused('outside/a.txt', before)).toBe(false);
    symlinkSync('circle', join(root, 'circle'));
    expect(await refuseNewLink(join(root, 'circle/a.txt'), [join(base, 'none')], after()).then(() => false, () => true)).toBe(true);
  });
});
