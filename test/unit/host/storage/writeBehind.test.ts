import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deferred } from '../../../../src/base/deferred';
import { storeFiles } from '../../../../src/host/storage/storeFiles';
import { WriteBehind, type WriteBehindOptions } from '../../../../src/host/storage/writeBehind';
import { NotKeptError } from '../../../../src/host/platform/notKeptError';
import { FakeClock } from '../../../fakes/fakeClock';

let folder: string;
let clock: FakeClock;
let warnings: string[];
const log = { trace() {}, debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error() {} };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'behind-'));
  clock = new FakeClock();
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const behind = (write: () => Promise<void>, more: Partial<WriteBehindOptions> = {}) => new WriteBehind({ folder, what: 'list', write, clock, log, ...more });
const text = () => readFileSync(join(folder, 'a.json'), 'utf8');

describe('what is written behind', () => {
  it('is saved a moment after a change, many changes at once', async () => {
    let saves = 0;
    const disk = behind(async () => void saves++);
    disk.open();
    for (let i = 0; i < 5; i++) disk.schedule();
    await Promise.resolve();
    expect(saves).toBe(0);
    clock.advance(500);
    await disk.settled();
    expect(saves).toBe(1);
  });

  it('has settled when a change of just now is saved too', async () => {
    let saves = 0;
    const disk = behind(async () => void saves++);
    disk.open();
    await disk.settled();
    await disk.settled();
    expect(saves).toBe(1);
  });

  it('is not touched before what was kept has been taken over', async () => {
    let saves = 0;
    const disk = behind(async () => void saves++);
    disk.schedule();
    clock.advance(10_000);
    await disk.settled();
    disk.flushSync(() => void saves++);
    expect([saves, disk.isClosed]).toEqual([0, false]);
  });

  it('is saved one after the other, also after a failure, which is logged', async () => {
    const order: string[] = [];
    const first = new Deferred<void>();
    const disk = behind(async () => {
      order.push('begun');
      if (order.length > 1) return;
      await first.promise;
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    });
    const failing = disk.save();
    const saved = disk.save();
    first.resolve();
    await expect(failing).rejects.toThrow(NotKeptError);
    await saved;
    expect(order).toEqual(['begun', 'begun']);
    expect(warnings).toEqual(['The list could not be saved: Error: full']);
  });

  it('has not settled where it could not be saved, until it is', async () => {
    let isFull = true;
    let saves = 0;
    const disk = behind(async () => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      saves++;
    });
    disk.open();
    await expect(disk.settled()).rejects.toThrow('Parley can’t back up the current content: the disk with its storage is full.');
    // Nothing has changed since; it is still not on disk.
    await expect(disk.settled()).rejects.toThrow(NotKeptError);
    isFull = false;
    await disk.settled();
    await disk.settled();
    expect(saves).toBe(1);
  });

  it('is replaced in one step', async () => {
    writeFileSync(join(folder, 'a.json'), 'before');
    const steps: string[] = [];
    const files = { ...storeFiles, rename: async (from: string, to: string) => (steps.push(text()), storeFiles.rename(from, to)) };
    const disk = behind(async () => {}, { files });
    expect(await disk.replace('a.json', 'after')).toBe(true);
    expect([...steps, text(), ...readdirSync(folder)]).toEqual(['before', 'after', 'a.json']);
  });

  it('is what the end of the window has written last, whatever was begun before', async () => {
    const begun = new Deferred<void>();
    const goOn = new Deferred<void>();
    const files = { ...storeFiles, write: async (file: string, value: string) => (begun.resolve(), await goOn.promise, storeFiles.write(file, value)) };
    let isReplaced: boolean | undefined;
    const disk: WriteBehind = behind(async () => void (isReplaced = await disk.replace('a.json', 'begun')), { files });
    disk.open();
    const saved = disk.save();
    await begun.promise;
    disk.flushSync(() => disk.replaceSync('a.json', 'last'));
    goOn.resolve();
    await saved;
    expect([isReplaced, disk.isClosed, text()]).toEqual([false, true, 'last']);
  });

  it('is that also where the system was about to put what was begun before in its place', async () => {
    const begun = new Deferred<void>();
    const goOn = new Deferred<void>();
    const files = { ...storeFiles, rename: async (from: string, to: string) => (begun.resolve(), await goOn.promise, storeFiles.rename(from, to)) };
    const disk: WriteBehind = behind(async () => void (await disk.replace('a.json', 'begun')), { files });
    disk.open();
    const saved = disk.save();
    await begun.promise;
    disk.flushSync(() => disk.replaceSync('a.json', 'last'));
    goOn.resolve();
    await saved;
    expect(text()).toBe('last');
  });

  it('is given a folder at the end of the window, where a failure is logged', () => {
    rmSync(folder, { recursive: true });
    const disk = behind(async () => {});
    disk.open();
    disk.flushSync(() => {
      expect(existsSync(folder)).toBe(true);
      throw new Error('the disk is full');
    });
    expect(warnings).toEqual(['The list could not be saved: Error: the disk is full']);
  });

  it('is nothing where there is no file, or none that can be read, which is logged', async () => {
    const disk = behind(async () => {});
    expect(await disk.readJson('a.json')).toBeUndefined();
    expect(warnings).toEqual([]);
    writeFileSync(join(folder, 'a.json'), '{"rows":[');
    expect(await disk.readJson('a.json')).toBeUndefined();
    expect(warnings).toHaveLength(1);
    writeFileSync(join(folder, 'a.json'), '{"rows":[]}');
    expect(await disk.readJson('a.json')).toEqual({ rows: [] });
  });
});
