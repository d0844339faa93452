import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeFiles } from '../../../../src/host/storage/storeFiles';
import { readRecords, RecordLog } from '../../../../src/host/storage/recordLog';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
  file = join(folder, 'made/a.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const record = (path: string) => ({ path });
const written = (...paths: readonly string[]) =>
  Buffer.from(paths.map((path, i) => `${JSON.stringify({ path, number: i + 1 })}\n`).join(''));
const read = () => readRecords(readFileSync(file, 'utf8')).map(({ number, head }) => [number, head['path']]);

describe('a log of records', () => {
  it('is read as it was written', async () => {
    const log = new RecordLog(file, storeFiles);
    await Promise.all(['a\nb', 'utf8 ä'].map((path) => log.append(record(path))));
    expect([read(), log.number]).toEqual([
      [
        [1, 'a\nb'],
        [2, 'utf8 ä'],
      ],
      2,
    ]);
    expect(readFileSync(file)).toEqual(written('a\nb', 'utf8 ä'));
  });

  it('is written in few writes, however many records come', async () => {
    let writes = 0;
    const log = new RecordLog(file, {
      ...storeFiles,
      append: (name, content) => (writes++, storeFiles.append(name, content)),
    });
    await Promise.all(Array.from({ length: 2_000 }, (_, i) => log.append(record(`${i} ${'x'.repeat(3_000)}`))));
    expect(read()).toHaveLength(2_000);
    expect(writes).toBeLessThan(5);
  });

  it('ends at a record that a crash cut off, wherever', async () => {
    const whole = written('one').length;
    mkdirSync(dirname(file));
    writeFileSync(file, written('one', 'twö'));
    for (let size = written('one', 'twö').length - 1; size >= whole; size--) {
      truncateSync(file, size);
      expect(read()).toEqual([[1, 'one']]);
    }
    truncateSync(file, whole - 1);
    expect(read()).toEqual([]);
    appendFileSync(file, 'no record\n');
    expect(read()).toEqual([]);
  });

  it('has nothing of a record that could not be written, and goes on after it', async () => {
    let isFull = false;
    const log = new RecordLog(file, {
      ...storeFiles,
      append: async (name, content) => {
        if (!isFull) return storeFiles.append(name, content);
        // Of two records the first has room.
        await storeFiles.append(name, content.slice(0, content.length - 3));
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      },
    });
    await log.append(record('one'));
    isFull = true;
    await expect(Promise.all(['two', 'three'].map((path) => log.append(record(path))))).rejects.toThrow('full');
    expect(read()).toEqual([[1, 'one']]);
    isFull = false;
    await log.append(record('four'));
    expect(read()).toEqual([
      [1, 'one'],
      [4, 'four'],
    ]);
  });

  it('cuts off what could not be written later, where it cannot be at once', async () => {
    let canTruncate = false;
    let isFull = true;
    const log = new RecordLog(file, {
      ...storeFiles,
      append: async (name, content) => {
        await storeFiles.append(name, isFull ? content.slice(0, 7) : content);
        if (isFull) throw new Error('full');
      },
      truncate: async (name, size) => {
        if (!canTruncate) throw new Error('no');
        await storeFiles.truncate(name, size);
      },
    });
    await expect(log.append(record('one'))).rejects.toThrow('full');
    isFull = false;
    await expect(log.append(record('two'))).rejects.toThrow('no');
    canTruncate = true;
    await log.append(record('three'));
    expect(read()).toEqual([[3, 'three']]);
  });
});
