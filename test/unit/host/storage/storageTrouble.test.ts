import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { ReviewStore } from '../../../../src/host/changes/reviewStore';
import { FileState } from '../../../../src/host/storage/fileState';
import { StorageTrouble, type Unsaved } from '../../../../src/host/storage/storageTrouble';
import { storeFiles } from '../../../../src/host/storage/storeFiles';
import { FakeClock } from '../../../fakes/fakeClock';
import { ContentStore } from '../../../../src/host/storage/contentStore';

let root: string;
let clock: FakeClock;
let trouble: StorageTrouble;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'trouble-'));
  clock = new FakeClock();
  trouble = new StorageTrouble(clock);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const full = (code = 'ENOSPC') => Object.assign(new Error(`${code}: no`), { code });
const talk: Unsaved = { what: 'conversation', sessionId: 'a' };

describe('what cannot be saved', () => {
  it('is one notice for all of it, which begins with what the session loses', () => {
    let begun = 0;
    trouble.onDidBegin(() => begun++);
    for (const unsaved of [
      { what: 'state' },
      { what: 'changes' },
      talk,
      { what: 'conversation', sessionId: 'b' },
    ] as const)
      trouble.failed(unsaved, full(), '/store', () => undefined);
    expect(trouble.view('a')).toEqual({
      title: 'This conversation is not being saved: the disk is full.',
      detail:
        'Also not saved: drafts and the session list, pending changes. Parley keeps it in memory until this window closes, and tries again to save it. Make room on the disk of /store.',
    });
    expect(trouble.view('c')?.title).toBe('Pending changes are not being saved: the disk is full.');
    for (const unsaved of [
      { what: 'state' },
      { what: 'changes' },
      talk,
      { what: 'conversation', sessionId: 'b' },
    ] as const)
      trouble.ended(unsaved);
    expect([trouble.view('a'), begun]).toEqual([undefined, 1]);
  });

  it.each<[string, string, string]>([
    ['ENOSPC', 'the disk is full', 'Make room on the disk of /store.'],
    ['EDQUOT', 'your disk quota is used up', 'Make room on the disk of /store.'],
    ['EROFS', 'the disk is read-only', 'Check the permissions of /store.'],
    ['EACCES', 'permission denied', 'Check the permissions of /store.'],
    ['ENOTDIR', 'its folder is gone', 'Check /store.'],
    ['EIO', 'the disk reports an error', 'Check /store.'],
    ['EMFILE', 'too many files are open', 'Close other windows or programs.'],
    ['EWHAT', 'EWHAT: no', 'Check /store.'],
  ])('says why and what to do: %s', (code, why, remedy) => {
    trouble.failed(talk, full(code), '/store', () => undefined);
    expect(trouble.view('a')?.title).toBe(`This conversation is not being saved: ${why}.`);
    expect(trouble.view('a')?.detail).toContain(remedy);
  });

  it('is tried again by itself until it succeeds, and at once where the user wants it', () => {
    let [tries, room] = [0, false];
    const again = () => {
      tries++;
      if (room) trouble.ended(talk);
      else trouble.failed(talk, full(), '/store', again);
    };
    trouble.failed(talk, full(), '/store', again);
    clock.advance(5_000);
    clock.advance(5_000);
    trouble.retry();
    expect(tries).toBe(3);
    room = true;
    clock.advance(5_000);
    expect([tries, trouble.view('a')]).toEqual([4, undefined]);
    clock.advance(60_000);
    expect(tries).toBe(4);
  });
});

describe('the small files of a window', () => {
  const file = () => join(root, 'store', 'state.json');
  const open = () => new FileState({ file: file(), what: 'state', clock, log: silentLogger, trouble });
  const saved = () => JSON.parse(readFileSync(file(), 'utf8')) as unknown;

  it('say what they cannot save, and save all of it once they can', () => {
    const state = open();
    void state.update('draft', 1);
    clock.advance(200);
    rmSync(join(root, 'store'), { recursive: true });
    writeFileSync(join(root, 'store'), 'in the way');
    void state.update('queue', 2);
    clock.advance(200);
    expect(trouble.view(undefined)?.title).toBe('Drafts and the session list are not being saved: its folder is gone.');
    rmSync(join(root, 'store'));
    clock.advance(5_000);
    // Also what was on the disk before.
    expect([trouble.view(undefined), saved()]).toEqual([undefined, { draft: 1, queue: 2 }]);
  });

  it('that are damaged are kept beside what takes their place', () => {
    mkdirSync(join(root, 'store'));
    writeFileSync(file(), '{"draft":');
    const state = open();
    void state.update('queue', 2);
    state.flush();
    expect([saved(), readFileSync(`${file()}.damaged`, 'utf8')]).toEqual([{ queue: 2 }, '{"draft":']);
  });
});

it('pending changes that cannot be saved are said once, and saved when there is room', async () => {
  let isFull = false;
  const files = {
    ...storeFiles,
    write: async (path: string, content: string | Uint8Array) =>
      isFull ? Promise.reject(full()) : storeFiles.write(path, content),
  };
  const store = new ReviewStore({
    folder: join(root, 'review'),
    contents: new ContentStore(join(root, 'contents'), silentLogger),
    parts: { review: () => new Map() },
    clock,
    log: silentLogger,
    trouble,
    files,
  });
  let begun = 0;
  trouble.onDidBegin(() => begun++);
  await store.open(async () => undefined);
  isFull = true;
  for (let i = 0; i < 3; i++) {
    store.schedule();
    clock.advance(500);
    await store.settled().catch(() => undefined);
  }
  expect([begun, trouble.view('a')?.title]).toEqual([1, 'Pending changes are not being saved: the disk is full.']);
  isFull = false;
  clock.advance(5_000);
  await store.settled();
  expect(trouble.view('a')).toBeUndefined();
  store.dispose();
});
