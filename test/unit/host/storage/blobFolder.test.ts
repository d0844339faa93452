import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { BlobFolder } from '../../../../src/host/storage/blobFolder';
import { type StoreFiles, storeFiles } from '../../../../src/host/storage/storeFiles';

describe('values in files that are named by their content', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-blobs-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const values = Array.from({ length: 200 }, (_, i) => ({ text: `value ${i}` }));
  const fresh = (files: StoreFiles = storeFiles) => new BlobFolder(folder, files);
  const names = () => readdirSync(folder).sort();

  it('are few files where thousands come at the same time, and each is read again by another run', async () => {
    const found = await Promise.all(values.map((value) => fresh().put(value)));
    rmSync(folder, { recursive: true });
    const blobs = fresh();
    const together = await Promise.all(values.map((value) => blobs.put(value)));
    expect(names().length).toBeLessThan(3);
    expect(new Set(together).size).toBe(values.length);
    for (const [i, name] of together.entries()) expect(await fresh().get(name)).toEqual(values[i]);
    expect(found.every((name) => !name.includes(':'))).toBe(true);
  });

  it('are written once, alone or with others', async () => {
    const blobs = fresh();
    const alone = await blobs.put('alone');
    const together = await Promise.all(['a', 'b', 'a'].map((value) => blobs.put(value)));
    expect([together[0] === together[2], await blobs.put('alone'), await blobs.put('b')]).toEqual([
      true,
      alone,
      together[1],
    ]);
    expect(names()).toHaveLength(2);
  });

  it('of a large file do not wait for it: so many characters are another file', async () => {
    const blobs = fresh();
    const large = ['x', 'y', 'z'].map((letter) => letter.repeat(600_000));
    const found = await Promise.all(large.map((value) => blobs.put(value)));
    expect(names()).toHaveLength(2);
    expect(await blobs.get(found[2]!)).toBe(large[2]);
  });

  it('stay as long as one value of their file is wanted', async () => {
    const blobs = fresh();
    const [a, b] = await Promise.all(['a', 'b'].map((value) => blobs.put(value)));
    await blobs.put('c');
    await blobs.sweep(new Set([b!]), silentLogger);
    expect([await blobs.get(a!), await blobs.get(b!), names().length]).toEqual(['a', 'b', 1]);
    expect(await blobs.get(await blobs.put('c'))).toBe('c');
    await blobs.sweep(new Set(), silentLogger);
    expect([names(), blobs.size]).toEqual([[], 0]);
    expect(await blobs.get(await blobs.put('a'))).toBe('a');
  });

  it('that could not be written are written by the next who asks; a damaged file is no value', async () => {
    let isFull = true;
    const blobs = fresh({
      ...storeFiles,
      write: (file, text) => (isFull ? Promise.reject(new Error('full')) : storeFiles.write(file, text)),
    });
    const tried = await Promise.allSettled(['a', 'b'].map((value) => blobs.put(value)));
    expect(tried.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isFull = false;
    const [a, b] = await Promise.all(['a', 'b'].map((value) => blobs.put(value)));
    expect([await blobs.get(a!), await blobs.get(b!)]).toEqual(['a', 'b']);
    for (const name of names()) writeFileSync(join(folder, name), '["other"]');
    await expect(fresh().get(a!)).rejects.toThrow('its stored copy is damaged');
    await expect(fresh().get(`${a!.split(':')[0]}:9`)).rejects.toThrow('its stored copy is damaged');
  });
});
