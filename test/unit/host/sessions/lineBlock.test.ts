import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { lineBlock } from '../../../../src/host/sessions/lineBlock';

/* `@file:10-20`: the lines as the editor has them, or a link to them. */

const world = vi.hoisted(() => ({ documents: [] as unknown[] }));
vi.mock('vscode', async () => {
  const { FakeEncodings } = await import('../../../fakes/encodings');
  return {
    Uri: { file: (fsPath: string) => ({ scheme: 'file', fsPath, toString: () => `file://${fsPath}` }) },
    workspace: {
      ...new FakeEncodings(),
      get textDocuments() {
        return world.documents;
      },
    },
  };
});

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-lines-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => (world.documents = []));

const file = path.join(folder, 'a.ts');
const block = (first: number, last: number, real: string | undefined = file) =>
  lineBlock({ token: '@a.ts', path: file, label: 'src/a.ts' }, { first, last }, { uri: 'file:///w/src/a.ts', real });
const link = (name: string, fragment: string) => ({
  type: 'resource_link',
  uri: `file:///w/src/a.ts#${fragment}`,
  name,
});

it.each([
  [2, 3, 'L2-L3', 'two\r\nthree\n'],
  [3, 3, 'L3', 'three\n'],
  [4, 99, 'L4-L99', 'last'],
])('has the lines %i to %i with their ends', async (first, last, fragment, text) => {
  writeFileSync(file, 'one\ntwo\r\nthree\nlast');
  expect(await block(first, last)).toEqual({
    type: 'resource',
    resource: { uri: `file:///w/src/a.ts#${fragment}`, text },
  });
});

it('has a few lines of a file that is too large to embed', async () => {
  writeFileSync(file, `${'x'.repeat(99)}\n`.repeat(20_000));
  expect(await block(19_999, 20_000)).toMatchObject({ resource: { text: `${'x'.repeat(99)}\n`.repeat(2) } });
});

it('is a link to lines that are too long, are not there, or may not be embedded', async () => {
  writeFileSync(file, `${'x'.repeat(600_000)}\ntwo\n`);
  expect(await block(1, 1)).toEqual(link('src/a.ts:1', 'L1'));
  expect(await block(7, 9)).toEqual(link('src/a.ts:7-9', 'L7-L9'));
  expect(
    await lineBlock(
      { token: '@a.ts', path: file, label: 'src/a.ts' },
      { first: 2, last: 2 },
      { uri: 'file:///w/src/a.ts', real: undefined },
    ),
  ).toEqual(link('src/a.ts:2', 'L2'));
});

it('is a link to lines of a file that is gone', async () => {
  rmSync(file, { force: true });
  expect(await block(1, 2)).toEqual(link('src/a.ts:1-2', 'L1-L2'));
});

it('has unsaved text', async () => {
  writeFileSync(file, 'old\n');
  world.documents = [
    { uri: { scheme: 'file', fsPath: file, toString: () => `file://${file}` }, isDirty: true, getText: () => 'new\n' },
  ];
  expect(await block(1, 1)).toMatchObject({ resource: { text: 'new\n' } });
});
