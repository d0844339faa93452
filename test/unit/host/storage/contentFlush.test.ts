import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { ContentStore } from '../../../../src/host/storage/contentStore';

/** Bytes that the disk still takes. */
const disk = vi.hoisted(() => ({ room: Infinity }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    // As the system does: a part of the bytes first, and the error with the next ones.
    writeSync: (file: number, bytes: Uint8Array, from: number, length: number, at: number) => {
      if (disk.room === 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      const done = fs.writeSync(file, bytes, from, Math.min(length, disk.room, 1_000), at);
      disk.room -= done;
      return done;
    },
  };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-test-'));
  disk.room = Infinity;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('writes all of a content at the end of a window, also if the disk takes it in parts', async () => {
  const store = new ContentStore(folder, silentLogger);
  const bytes = Buffer.alloc(5_000, 'x');
  const stored = store.put(bytes);
  store.flushSync();
  expect(await new ContentStore(folder, silentLogger).read(stored)).toEqual(bytes);
});

it('says that the disk is full instead of storing half a content', () => {
  const store = new ContentStore(folder, silentLogger);
  store.put(Buffer.alloc(5_000, 'x'));
  disk.room = 1_500;
  expect(() => store.flushSync()).toThrow('no space left');
  expect(store.isSettled()).toBe(false);
});
