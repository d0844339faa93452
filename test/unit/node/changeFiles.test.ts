import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changeMode, createFile, moveFile, overwriteFile, putBytes, removeFile } from '../../../src/node/changeFiles';
import { LinkedPathError } from '../../../src/node/openWithoutLinks';

/** `work/sub/a.txt` and `outside/a.txt`. */
function folders(): { readonly base: string; readonly file: string; readonly outside: string } {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-change-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  for (const folder of ['work/sub', 'outside']) mkdirSync(path.join(base, folder), { recursive: true });
  const [file, outside] = [path.join(base, 'work/sub/a.txt'), path.join(base, 'outside/a.txt')];
  writeFileSync(file, 'a longer text');
  writeFileSync(outside, 'secret');
  return { base, file, outside };
}

test.runIf(process.platform !== 'win32')(
  'a file is overwritten in place: permissions and hard links stay, and an unexpected content stays too',
  async () => {
    const { base, file } = folders();
    chmodSync(file, 0o751);
    linkSync(file, path.join(base, 'second'));
    expect(await overwriteFile(file, Buffer.from('short'), (now) => now.toString() === 'something else')).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('a longer text');
    expect(await overwriteFile(file, Buffer.from('short'), (now) => now.toString() === 'a longer text')).toBe(true);
    expect([readFileSync(path.join(base, 'second'), 'utf8'), statSync(file).mode & 0o777]).toEqual(['short', 0o751]);
    await changeMode(file, (mode) => mode & ~0o111);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  },
);

test('files are created with their folders, moved and removed', async () => {
  const { base, file } = folders();
  const fresh = path.join(base, 'work/new/b.txt');
  await createFile(fresh, Buffer.from('b'));
  await expect(createFile(fresh, Buffer.from('c'))).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await putBytes(fresh, Buffer.from('c'), undefined)).toBe(false);
  expect(await putBytes(fresh, Buffer.from('c'), (now) => now.toString() === 'another')).toBe(false);
  expect(readFileSync(fresh, 'utf8')).toBe('b');
  expect(await putBytes(fresh, Buffer.from('c'), (now) => now.toString() === 'b')).toBe(true);
  expect([
    await putBytes(path.join(base, 'none.txt'), Buffer.from('c'), () => true),
    existsSync(path.join(base, 'none.txt')),
  ]).toEqual([false, false]);
  await expect(moveFile(file, fresh)).rejects.toThrow('already exists');
  await moveFile(fresh, path.join(base, 'work/newer/c.txt'));
  expect([existsSync(fresh), readFileSync(path.join(base, 'work/newer/c.txt'), 'utf8')]).toEqual([false, 'c']);
  expect(await removeFile(file, () => false)).toBe(false);
  // Another program writes it after it was read.
  expect(await removeFile(file, () => (writeFileSync(file, 'by another program'), true))).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('by another program');
  expect([await removeFile(file, () => true), await removeFile(file, () => false)]).toEqual([true, true]);
  await removeFile(path.join(base, 'none/a.txt'));
  expect(existsSync(file)).toBe(false);
});

test.each(['work/sub', 'work/sub/a.txt'])('nothing is done through a link in the place of %s', async (part) => {
  const { base, file, outside } = folders();
  renameSync(path.join(base, part), path.join(base, 'aside'));
  symlinkSync(part === 'work/sub' ? path.dirname(outside) : outside, path.join(base, part));
  const acts: readonly (() => Promise<unknown>)[] = [
    () => overwriteFile(file, Buffer.from('agent')),
    () => putBytes(file, Buffer.from('agent'), () => true),
    () => changeMode(file, () => 0o777),
    () => removeFile(file),
    () => moveFile(file, path.join(base, 'moved.txt')),
    () =>
      moveFile(path.join(base, 'aside'), path.join(base, part === 'work/sub' ? 'work/sub/b.txt' : 'work/sub/a.txt')),
  ];
  const mode = statSync(outside).mode;
  for (const act of acts) await expect(act()).rejects.toThrow();
  await expect(removeFile(file)).rejects.toBeInstanceOf(LinkedPathError);
  expect([
    readFileSync(outside, 'utf8'),
    statSync(outside).mode,
    lstatSync(path.join(base, part)).isSymbolicLink(),
    existsSync(path.join(base, 'moved.txt')),
  ]).toEqual(['secret', mode, true, false]);
});

test('a file gets its name back in other letters where the old name finds the file itself', async () => {
  const { base, file } = folders();
  const other = path.join(base, 'work/sub/A.txt');
  // A second name of the file is what a file system that ignores case answers with.
  linkSync(file, other);
  await moveFile(file, other);
  const elsewhere = path.join(base, 'work/A.txt');
  linkSync(file, elsewhere);
  await expect(moveFile(file, elsewhere)).rejects.toThrow('already exists');
});
