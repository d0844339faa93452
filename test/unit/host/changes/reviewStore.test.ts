import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type StoreFiles, storeFiles } from '../../../../src/host/storage/storeFiles';
import { Deferred } from '../../../../src/base/deferred';
import { NotStoredError } from '../../../../src/host/platform/notStoredError';
import { ReviewStore, type SavedReview } from '../../../../src/host/changes/reviewStore';
import { Ledger } from '../../../../src/changes/ledger';
import { FakeClock } from '../../../fakes/fakeClock';
import { ContentStore } from '../../../../src/host/storage/contentStore';

let folder: string;
const warnings: string[] = [];
const log = { trace() {}, debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error() {} };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'review-'));
  warnings.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A ledger with a file in which one hunk waits, one was undone and one is the user's too. */
function ledger(): Ledger {
  const made = new Ledger();
  made.agentWrote('/p/a b.txt', '1\n2\n3\n4\n5\n', 'one\n2\nthree\n4\nfive\n', 'e3');
  const [first, second] = made.get('/p/a b.txt')!.hunks;
  made.done('/p/a b.txt', 'undo', made.plan('/p/a b.txt', 'undo', [first!.id])!.text, [first!.id]);
  made.edited('/p/a b.txt', '1\n2\nmy three\n4\nfive\n');
  made.done('/p/a b.txt', 'undo', '1\n2\nmy three\n4\nfive\n', [second!.id]);
  made.agentWrote('/p/new.txt', undefined, 'x\n');
  return made;
}

const contents = (files?: StoreFiles) => new ContentStore(join(folder, 'contents'), log, files);

async function loaded(): Promise<SavedReview> {
  let review: SavedReview = new Map();
  await new ReviewStore({
    folder,
    contents: contents(),
    parts: { review: () => new Map() },
    clock: new FakeClock(),
    log,
  }).open(async (saved) => void (review = saved));
  return review;
}

async function opened(
  review: () => SavedReview,
  files: StoreFiles = storeFiles,
  clock = new FakeClock(),
): Promise<ReviewStore> {
  const store = new ReviewStore({ folder, contents: contents(files), parts: { review }, clock, log, files });
  await store.open(async () => {});
  return store;
}

describe('the review over a restart', () => {
  it.each(['save', 'flushSync'] as const)('comes back whole after %s, states and ids included', async (how) => {
    const before = ledger();
    await (await opened(() => new Map([['s1', before.saved]])))[how]();
    const after = new Ledger();
    after.restore((await loaded()).get('s1')!);
    expect(after.changes).toEqual(before.changes);
    expect(after.changes[0]!.hunks.map(({ state }) => state)).toEqual(['conflicted', 'pending']);
    expect(after.rejected('/p/a b.txt')).toEqual(before.rejected('/p/a b.txt'));
    // New hunks get ids of their own.
    after.agentWrote('/p/z.txt', 'a\n', 'b\n');
    expect(before.changes.flatMap(({ hunks }) => hunks).map(({ id }) => id)).not.toContain(
      after.get('/p/z.txt')!.hunks[0]!.id,
    );
    expect(warnings).toEqual([]);
  });

  it('comes back whole however large it is', async () => {
    const large = new Ledger();
    large.agentWrote('/p/large.txt', 'short\n', 'x'.repeat(21_000_000));
    await (await opened(() => new Map([['s1', large.saved]]))).save();
    expect((await loaded()).get('s1')!.get('/p/large.txt')!.pieces[0]).toMatchObject({
      kind: 'hunk',
      baseline: ['short', ''],
    });
  });

  it('writes only what is new, and takes away what nothing refers to', async () => {
    const kept = ledger();
    const all = contents();
    const store = new ReviewStore({
      folder,
      contents: all,
      parts: { review: () => new Map([['s1', kept.saved]]) },
      clock: new FakeClock(),
      log,
    });
    await store.open(async () => {});
    await store.save();
    const size = () =>
      readdirSync(join(folder, 'contents')).map((name) => statSync(join(folder, 'contents', name)).size);
    const before = size();
    kept.keep('/p/new.txt');
    await store.save();
    expect(size()).toEqual(before);
    kept.clear();
    await store.save();
    for (let i = 0; i < 2; i++) await all.sweep();
    expect(size()).toEqual([]);
    expect((await loaded()).size).toBe(0);
  });

  it('leaves out what is damaged, and says so', async () => {
    const before = ledger();
    await (await opened(() => new Map([['s1', before.saved]]))).save();
    const [pack = ''] = readdirSync(join(folder, 'contents'));
    const bytes = readFileSync(join(folder, 'contents', pack));
    writeFileSync(join(folder, 'contents', pack), Buffer.concat([bytes.subarray(0, -3), Buffer.from('xxx')]));
    expect((await loaded()).get('s1')!.size).toBe(1);
    expect(warnings.length).toBe(1);
    writeFileSync(join(folder, 'index.json'), '{"version":1,"rows":[["s1","/p/a","../../etc/passwd"],7]}');
    expect((await loaded()).size).toBe(0);
  });

  it('has settled when what is known now is on disk', async () => {
    let review: SavedReview = new Map();
    const store = await opened(() => review);
    await store.settled();
    review = new Map([['s1', ledger().saved]]);
    store.schedule();
    await store.settled();
    expect((await loaded()).get('s1')!.size).toBe(2);
  });

  it.each([
    ['was handed over', async () => {}],
    ['could not be taken over', () => Promise.reject(new Error('no'))],
  ])('has read when what was kept %s, and not before', async (_what, take) => {
    const store = new ReviewStore({
      folder,
      contents: contents(),
      parts: { review: () => new Map() },
      clock: new FakeClock(),
      log,
    });
    const order: string[] = [];
    const read = store.whenRead.then(() => order.push('read'));
    await store.open(() => Promise.resolve(order.push('taken')).then(take)).catch(() => undefined);
    await read;
    expect(order).toEqual(['taken', 'read']);
  });

  it('loses nothing where the window ends before it has been read', async () => {
    const before = ledger();
    await (await opened(() => new Map([['s1', before.saved]]))).save();
    const early = new ReviewStore({
      folder,
      contents: contents(),
      parts: { review: () => new Map() },
      clock: new FakeClock(),
      log,
    });
    early.schedule();
    early.flushSync();
    expect((await loaded()).get('s1')!.size).toBe(2);
  });

  it('is whole where the window ends while it is being saved, and what was begun goes on for a moment', async () => {
    const begun: (() => void)[] = [];
    const never = new Promise<never>(() => {});
    // The system does what it was asked for after the window has written its last; nobody hears of it any more.
    const files: StoreFiles = {
      ...storeFiles,
      write: (file) => (begun.push(() => writeFileSync(file, '')), never),
      remove: (file) => (begun.push(() => rmSync(file, { force: true })), never),
    };
    const before = ledger();
    const store = new ReviewStore({
      folder,
      contents: contents(files),
      parts: { review: () => new Map([['s1', before.saved]]) },
      clock: new FakeClock(),
      log,
      files,
    });
    await store.open(async () => {});
    void store.save();
    await vi.waitUntil(() => begun.length > 0, 20_000);
    store.flushSync();
    for (const each of begun) each();
    expect((await loaded()).get('s1')).toEqual(before.saved);

    // The same while what was kept, and waits again, is being removed.
    const review = new Map([['s1', new Map(before.saved)]]);
    const all = contents();
    const other = new ReviewStore({
      folder,
      contents: all,
      parts: { review: () => review },
      clock: new FakeClock(),
      log,
    });
    await other.open(async (saved) => {
      for (const [path, entry] of saved.get('s1')!) review.get('s1')!.set(path, entry);
    });
    const [path, entry] = [...review.get('s1')!][0]!;
    review.get('s1')!.delete(path);
    await other.save();
    await all.sweep();
    const sweep = all.sweep();
    review.get('s1')!.set(path, entry);
    other.flushSync();
    await sweep;
    expect((await loaded()).get('s1')!.get(path)).toEqual(entry);
    expect(warnings).toEqual([]);
  });

  it('is saved a moment after a change, many changes at once', async () => {
    let saves = 0;
    const clock = new FakeClock();
    const store = await opened(
      () => new Map(),
      { ...storeFiles, rename: (from, to) => (saves++, storeFiles.rename(from, to)) },
      clock,
    );
    for (let i = 0; i < 5; i++) store.schedule();
    await Promise.resolve();
    expect(saves).toBe(0);
    clock.advance(500);
    await store.settled();
    await store.settled();
    expect(saves).toBe(1);
  });

  it('is saved one after the other, and has not settled where it could not be until it is; that is logged', async () => {
    let isFull = true;
    const begun: string[] = [];
    const write: StoreFiles['write'] = async (file, content) => {
      begun.push(file);
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      await storeFiles.write(file, content);
    };
    const store = await opened(() => new Map(), { ...storeFiles, write });
    const failing = [store.save(), store.save()];
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(begun.length).toBe(2);
    expect(warnings).toEqual(Array.from({ length: 2 }, () => 'The review could not be saved: Error: full'));
    // What was asked for at the start is tried too.
    await expect(store.settled()).rejects.toThrow(
      'Parley can’t back up the current content: the disk with its storage is full.',
    );
    // Nothing has changed since; it is still not on disk.
    await expect(store.settled()).rejects.toThrow(NotStoredError);
    isFull = false;
    await store.settled();
    const saves = begun.length;
    await store.settled();
    expect([existsSync(join(folder, 'index.json')), begun.length]).toEqual([true, saves]);
  });

  it('has its index replaced in one step', async () => {
    const text = () => readFileSync(join(folder, 'index.json'), 'utf8');
    writeFileSync(join(folder, 'index.json'), '{"rows":[]}');
    const steps: string[] = [];
    const store = await opened(() => new Map(), {
      ...storeFiles,
      rename: async (from, to) => (steps.push(text()), storeFiles.rename(from, to)),
    });
    await store.save();
    expect(steps).toEqual(['{"rows":[]}']);
    expect(text()).toContain('"version":1');
    expect(readdirSync(folder)).toEqual(['index.json']);
  });

  it.each(['write', 'rename'] as const)(
    'is what the end of the window has written last, whatever was begun before: %s',
    async (step) => {
      const begun = new Deferred<void>();
      const goOn = new Deferred<void>();
      const held = async (from: string, to: string): Promise<void> => {
        begun.resolve();
        await goOn.promise;
        await storeFiles[step](from, to);
      };
      let review: SavedReview = new Map();
      const store = await opened(() => review, { ...storeFiles, [step]: held });
      const saved = store.save();
      await begun.promise;
      review = new Map([['s1', ledger().saved]]);
      store.flushSync();
      goOn.resolve();
      await saved;
      expect((await loaded()).get('s1')!.size).toBe(2);
    },
  );

  it('is given a folder at the end of the window, where a failure is logged', async () => {
    const store = await opened(() => new Map());
    rmSync(folder, { recursive: true });
    store.flushSync();
    expect(existsSync(join(folder, 'index.json'))).toBe(true);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'no folder');
    store.flushSync();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('The review could not be saved');
  });

  it('is nothing where there is no index, and where none can be read, which is logged', async () => {
    expect((await loaded()).size).toBe(0);
    expect(warnings).toEqual([]);
    writeFileSync(join(folder, 'index.json'), '{"rows":[');
    expect((await loaded()).size).toBe(0);
    expect(warnings).toHaveLength(1);
  });

  it('is saved in slices, as it was when that began: of thousands of files it is too much for one step', async () => {
    const many = new Ledger();
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i} of a file that a formatter went over`);
    for (let i = 0; i < 1_000; i++) many.agentWrote(`/p/${i}`, lines.join('\n'), lines.with(7, `${i}`).join('\n'));
    const disk = new Map<string, string>();
    const files = {
      ...storeFiles,
      makeFolder: async () => {},
      write: async (file: string, text: string) => void disk.set(file, text),
      rename: async (from: string, to: string) => void (disk.set(to, disk.get(from)!), disk.delete(from)),
      remove: async () => {},
      list: async () => [],
      writeAt: async () => {},
    };
    const store = new ReviewStore({
      folder: '/store',
      contents: contents(files),
      parts: { review: () => new Map([['s1', many.saved]]) },
      clock: new FakeClock(),
      log,
      files,
    });
    await store.open(async () => {});
    let breaths = 0;
    const breathe = (): void => {
      if (breaths++ === 0) for (let i = 0; i < 1_000; i++) many.keep(`/p/${i}`);
      if (!disk.has('/store/index.json')) setImmediate(breathe);
    };
    setImmediate(breathe);
    await store.save();
    expect(breaths).toBeGreaterThan(1);
    expect((JSON.parse(disk.get('/store/index.json')!) as { rows: unknown[] }).rows).toHaveLength(1_000);
    expect(disk.size).toBe(1);
  });
});
