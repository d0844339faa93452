import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { FileIndex } from '../../../../src/host/files/fileIndex';
import { FakeClock } from '../../../fakes/fakeClock';

/** What is in the workspace, how long a listing of it takes, and what was done. */
const at = vi.hoisted(() => ({
  files: [] as string[],
  listingMs: 0,
  listings: 0,
  watched: [] as string[],
  excludeChanged: undefined as undefined | ((event: unknown) => void),
}));

vi.mock('vscode', () => {
  const nothing = () => ({ dispose: () => undefined });
  return {
    window: { tabGroups: { all: [] }, visibleTextEditors: [], onDidChangeActiveTextEditor: nothing },
    workspace: {
      workspaceFolders: [{ uri: { scheme: 'file', fsPath: '/w' }, name: 'w', index: 0 }],
      createFileSystemWatcher: (pattern: string) => {
        at.watched.push(pattern);
        return { onDidCreate: nothing, onDidChange: nothing, onDidDelete: nothing, dispose: () => undefined };
      },
      onDidChangeWorkspaceFolders: nothing,
      onDidChangeConfiguration: (listener: (event: unknown) => void) => {
        at.excludeChanged = listener;
        return nothing();
      },
    },
  };
});

vi.mock('../../../../src/host/files/fileListing', () => ({
  listFiles: async () => {
    at.listings++;
    clock.advance(at.listingMs);
    return [...at.files];
  },
}));

let clock: FakeClock;
let index: FileIndex;
beforeEach(() => {
  Object.assign(at, { files: ['one.txt'], listingMs: 0, listings: 0, watched: [] });
  clock = new FakeClock();
  index = new FileIndex(silentLogger, clock);
});
afterEach(() => index.dispose());

const names = async () => (await index.query('txt', 10)).map(({ name }) => name);

it('watches nothing, before the first question and after it', async () => {
  index.warm();
  await names();
  expect(at.watched).toEqual([]);
});

it('sees files come and go, and lists once for all that is typed in a second', async () => {
  expect(await names()).toEqual(['one.txt']);
  at.files = ['two.txt'];
  clock.advance(900);
  expect([await names(), at.listings]).toEqual([['one.txt'], 1]);
  clock.advance(100);
  expect([await names(), at.listings]).toEqual([['two.txt'], 2]);
});

it('lists a large workspace less often', async () => {
  at.listingMs = 500;
  await names();
  clock.advance(9_000);
  await names();
  expect(at.listings).toBe(1);
  clock.advance(1_000);
  await names();
  expect(at.listings).toBe(2);
});

it('lists at once what was excluded in another way', async () => {
  await names();
  at.files = ['two.txt'];
  at.excludeChanged!({ affectsConfiguration: () => true });
  expect(await names()).toEqual(['two.txt']);
});
