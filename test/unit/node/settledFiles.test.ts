import { Stats } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  lookSettled,
  type OpenedFile,
  type OpenFile,
  readAt,
  readSettled,
  stampOf,
} from '../../../src/node/settledFiles';
import { FakeClock } from '../../fakes/fakeClock';

/** One file of a make-believe disk, with what happens to it under each read. */
class Disk implements OpenedFile {
  readonly clock = new FakeClock();
  reads = 0;
  private changedAt = 0;
  private content = Buffer.from('');

  /** @param underRead happens after the bytes were taken and before the reader looks again. */
  constructor(private readonly underRead: (disk: Disk) => void = () => undefined) {}

  put(text: string): this {
    this.content = Buffer.from(text);
    this.changedAt = this.clock.now();
    return this;
  }

  get opened(): Stats {
    return Object.assign(Object.create(Stats.prototype) as Stats, {
      ino: 1,
      size: this.content.length,
      mtimeMs: this.changedAt,
      ctimeMs: this.changedAt,
    });
  }

  async stat(): Promise<Stats> {
    return this.opened;
  }

  readonly open: OpenFile = (_path, use) => use(this);

  async read(): Promise<Buffer> {
    const bytes = this.content;
    this.reads++;
    this.underRead(this);
    return bytes;
  }

  /** Lets time pass until `work` is done. */
  async pass<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    void work.finally(() => (isDone = true)).catch(() => undefined);
    for (let i = 0; i < 1_000 && !isDone; i++) {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      this.clock.advance(5);
    }
    return work;
  }
}

describe('a file that is read while something writes it', () => {
  it('is believed at once where it changed long ago', async () => {
    const disk = new Disk().put('text');
    disk.clock.advance(1_000);
    expect((await readSettled('/f', disk.clock, disk.open)).toString()).toBe('text');
    expect(disk.reads).toBe(1);
  });

  it('is read again when it changed under the read, until that is over', async () => {
    const steps = ['', 'one\n', 'one\ntwo\n'];
    const disk = new Disk((self) => {
      const next = steps.shift();
      if (next !== undefined) self.put(next);
    }).put('before\n');
    disk.clock.advance(1_000);
    expect((await disk.pass(readSettled('/f', disk.clock, disk.open))).toString()).toBe('one\ntwo\n');
  });

  it('is not believed to be empty before it has been for a while: the writer may have cut it just now', async () => {
    const disk = new Disk().put('');
    disk.clock.setTimeout(() => disk.put('whole\n'), 150);
    expect((await disk.pass(readSettled('/f', disk.clock, disk.open))).toString()).toBe('whole\n');
  });

  it('is taken as it is where it never rests', async () => {
    let n = 0;
    const disk = new Disk((self) => self.put(String(++n)));
    disk.put('0');
    const before = disk.clock.now();
    expect((await disk.pass(readSettled('/f', disk.clock, disk.open))).length).toBeGreaterThan(0);
    expect(disk.clock.now() - before).toBeLessThan(3_000);
  });

  it('tells that it changed under the read, also where the size stayed the same', async () => {
    const disk = new Disk((self) => {
      self.clock.advance(1);
      self.put('2');
    }).put('1');
    expect((await readAt(disk)).stamp).toBeUndefined();
  });

  it('does not keep the others waiting one by one: a thousand doubtful files rest in the time of one', async () => {
    const clock = new FakeClock();
    const disk = new Disk();
    const paths = Array.from({ length: 1_000 }, (_, i) => `/${i}`);
    const look = async () => ({ value: 'x', stamp: 'same', changedAt: undefined });
    const before = clock.now();
    let isDone = false;
    const work = lookSettled(paths, { look, quietMs: () => 200, clock }).finally(() => (isDone = true));
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(5);
    }
    expect((await work).size).toBe(1_000);
    expect(clock.now() - before).toBeLessThan(400);
    expect(stampOf(await disk.put('a').stat())).not.toBe(stampOf(await disk.put('ab').stat()));
  });

  it('does not trust a clock that is ahead: then it must have been seen resting here', async () => {
    const clock = new FakeClock();
    let looks = 0;
    const look = async () => ({ value: ++looks, stamp: 'same', changedAt: clock.now() + 60_000 });
    let isDone = false;
    void lookSettled(['/f'], { look, quietMs: () => 40, clock }).finally(() => (isDone = true));
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(5);
    }
    expect(looks).toBeGreaterThan(2);
  });
});
