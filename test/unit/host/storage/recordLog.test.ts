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
/** A log as earlier builds wrote it, with bytes in its records. */
const earlier = (...records: readonly (readonly [path: string, bytes: Buffer])[]) =>
  Buffer.concat(
    records.flatMap(([path, bytes], i) => [
      Buffer.from(`${JSON.stringify({ path, number: i + 1, size: bytes.length })}\n`),
      bytes,
      Buffer.from('\n'),
    ]),
  );
const read = () =>
  readRecords(readFileSync(file)).map(({ number, head, bytes }) => [number, head['path'], bytes.toString('latin1')]);

describe('a log of records', () => {
  it('is read as it was written, and as an earlier build wrote it, whatever the bytes are', async () => {
    const log = new RecordLog(file, storeFiles);
    await Promise.all(['a\nb', 'utf8 ä'].map((path) => log.append(record(path))));
    expect([read(), log.number]).toEqual([
      [
        [1, 'a\nb', ''],
        [2, 'utf8 ä', ''],
      ],
      2,
    ]);
    const odd = Buffer.from([0, 10, 13, 255, 123, 125]);
    writeFileSync(file, earlier(['a\nb', odd], ['empty', Buffer.alloc(0)], ['ä', Buffer.from('ü')]));
    expect(read()).toEqual([
      [1, 'a\nb', odd.toString('latin1')],
      [2, 'empty', ''],
      [3, 'ä', Buffer.from('ü').toString('latin1')],
    ]);
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
    const [first, second] = [['one', Buffer.from('first')] as const, ['two', Buffer.from('second')] as const];
    const whole = earlier(first).length;
    mkdirSync(dirname(file));
    writeFileSync(file, earlier(first, second));
    for (let size = earlier(first, second).length - 1; size >= whole; size--) {
      truncateSync(file, size);
      expect(read()).toEqual([[1, 'one', 'first']]);
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
    expect(read()).toEqual([[1, 'one', '']]);
    isFull = false;
    await log.append(record('four'));
    expect(read()).toEqual([
      [1, 'one', ''],
      [4, 'four', ''],
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
    expect(read()).toEqual([[3, 'three', '']]);
  });
});
