import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { searchLines } from '../../../../src/host/files/textSearch';

/* A program in the place of ripgrep prints what each folder has in `out`. */

const base = vi.hoisted(() => ({ path: '', folders: [] as string[] }));
vi.mock('vscode', () => ({
  env: {
    get appRoot() {
      return path.join(base.path, 'app');
    },
  },
  Uri: { file: (fsPath: string) => ({ scheme: 'file', fsPath }) },
  workspace: {
    get workspaceFolders() {
      return base.folders.map((folder) => ({ uri: { scheme: 'file', fsPath: folder }, name: path.basename(folder) }));
    },
    getConfiguration: () => ({ get: (_: string, fallback: unknown) => fallback }),
    asRelativePath: (file: string) => path.relative(base.path, file),
  },
}));

base.path = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-test-')));
afterAll(() => rmSync(base.path, { recursive: true, force: true }));
const program = path.join(base.path, 'app/node_modules/@vscode/ripgrep/bin/rg');
mkdirSync(path.dirname(program), { recursive: true });
writeFileSync(program, '#!/bin/sh\ncat out\n');
chmodSync(program, 0o755);

function folder(name: string, out: string): string {
  const made = path.join(base.path, name);
  mkdirSync(made, { recursive: true });
  writeFileSync(path.join(made, 'out'), out);
  return made;
}
const linesOf = (file: string, count: number) =>
  Array.from({ length: count }, (_, at) => `./${file}\0${at + 1}:text\n`).join('');
const search = (isLeftOut: (file: string) => boolean = () => false) => searchLines('text', isLeftOut);

beforeEach(() => {
  base.folders = [];
});

describe.skipIf(process.platform === 'win32')('lines with a text', () => {
  it('come from each folder, also if another one is gone', async () => {
    base.folders = [path.join(base.path, 'gone'), folder('one', linesOf('a.ts', 1)), folder('two', linesOf('b.ts', 1))];
    expect(await search()).toEqual({ lines: ['one/a.ts:1:text', 'two/b.ts:1:text'], isCut: false });
    expect(await search((file) => file.endsWith('a.ts'))).toEqual({ lines: ['two/b.ts:1:text'], isCut: false });
  });

  it.each([
    ['a file with more than fifty', linesOf('a.ts', 51) + linesOf('b.ts', 2), 52],
    ['more than 500', Array.from({ length: 600 }, (_, at) => linesOf(`${at}.ts`, 1)).join(''), 500],
    ['more than anybody reads', `./a.ts\0${'x'.repeat(4_000_000)}\n./b.ts\0${'x'.repeat(5_000_000)}\n`, 1],
  ])('are told to be cut: %s', async (_, out, count) => {
    base.folders = [folder('many', out)];
    const found = await search();
    expect([found?.lines.length, found?.isCut]).toEqual([count, true]);
  });

  it('are not told to be cut: fifty of a file', async () => {
    base.folders = [folder('fifty', linesOf('a.ts', 50) + linesOf('b.ts', 50))];
    expect((await search())?.isCut).toBe(false);
  });
});
