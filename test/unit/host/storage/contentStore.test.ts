import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import type { Stored } from '../../../../src/changes/content';
import { sha256 } from '../../../../src/host/storage/contentName';
import { ContentStore, MAX_STORED_BYTES } from '../../../../src/host/storage/contentStore';
import { type StoreFiles, storeFiles } from '../../../../src/host/storage/storeFiles';

let root: string;
let store: ContentStore;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'contents-'));
  store = fresh();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const fresh = (files: StoreFiles = storeFiles) => new ContentStore(join(root, 'store'), silentLogger, files);
const bytes = (text: string) => Buffer.from(`\0${text}`);
const large = (letter: string) => Buffer.alloc(300_000, letter);
const names = () => readdirSync(join(root, 'store')).sort();
const all = () => names().map((name) => readFileSync(join(root, 'store', name), 'utf8'));

describe('contents by their SHA-256', () => {
  it('are few files where thousands come at the same time, and each is read again by another run', async () => {
    const many = Array.from({ length: 5_000 }, (_, i) => Buffer.from(`${i} `.repeat(100)));
    const stored = many.map((each) => store.put(each));
    await store.settled();
    expect(names().length).toBeLessThan(5);
    const later = fresh();
    for (const [i, each] of stored.entries())
      expect((await (i % 100 === 0 ? fresh() : later).read(each)).equals(many[i]!)).toBe(true);
  });

  it('are there once, and can be read at once', async () => {
    const first = store.put(bytes('a'));
    expect(store.put(bytes('a'))).toBe(first);
    expect(await store.read(first)).toEqual(bytes('a'));
    await store.settled();
    expect([first.name, all()]).toEqual([sha256(bytes('a')), ['\0a']]);
  });

  it('of large files have files of their own, under their name once they are whole', async () => {
    const [a, b] = [store.put(large('a')), store.put(large('b'))];
    await store.settled();
    expect([a.at, names()]).toEqual([undefined, [a.name, b.name].sort()]);
    const half = fresh({
      ...storeFiles,
      write: async (file, content) => {
        writeFileSync(file, content.slice(0, 1));
        throw new Error('no space');
      },
    });
    const put = half.put(large('c'));
    await expect(half.settled()).rejects.toThrow('can’t back up the current content: no space');
    expect(names()).toHaveLength(2);
    expect(large('c').equals(await half.read(put))).toBe(true);
  });

  it('that could not be written are written when there is room, where they were promised', async () => {
    let isFull = true;
    const full = fresh({
      ...storeFiles,
      writeAt: (...asked) => (isFull ? Promise.reject(new Error('full')) : storeFiles.writeAt(...asked)),
    });
    const [a, b] = ['a', 'b'].map((text) => full.put(bytes(text)));
    await expect(full.settled()).rejects.toThrow('full');
    isFull = false;
    const c = full.put(bytes('c'));
    await full.settled();
    for (const [stored, text] of [
      [a!, 'a'],
      [b!, 'b'],
      [c, 'c'],
    ] as const)
      expect(await fresh().read(stored)).toEqual(bytes(text));
  });

  it('do not wait for a large one that has no room', async () => {
    const full = fresh({
      ...storeFiles,
      write: () => Promise.reject(new Error('full')),
    });
    const [big, small] = [full.put(large('a')), full.put(bytes('b'))];
    await full.settled([small]);
    expect(await fresh().read(small)).toEqual(bytes('b'));
    await expect(full.settled([small, big])).rejects.toThrow('full');
    await expect(full.settled()).rejects.toThrow('full');
    const later = full.put(bytes('c'));
    await full.settled([later]);
    expect(await fresh().read(later)).toEqual(bytes('c'));
  });

  it('are written by the end of the window, which waits for nothing', async () => {
    const [small, big] = [store.put(bytes('a')), store.put(large('b'))];
    store.flushSync();
    expect(await fresh().read(small)).toEqual(bytes('a'));
    expect(large('b').equals(await fresh().read(big))).toBe(true);
  });

  it('that are not what was stored are never handed out, and cost no other', async () => {
    const [a, b] = ['a', 'b'].map((text) => store.put(bytes(text)));
    await store.settled();
    const pack = join(root, 'store', names()[0]!);
    writeFileSync(pack, Buffer.concat([Buffer.from('x'), readFileSync(pack).subarray(1)]));
    await expect(fresh().read(a!)).rejects.toThrow('damaged or missing');
    expect(await fresh().read(b!)).toEqual(bytes('b'));
    truncateSync(pack, 3);
    await expect(fresh().read(b!)).rejects.toThrow('damaged or missing');
    await expect(fresh().read({ name: sha256('never'), size: 1 })).rejects.toThrow('damaged or missing');
  });

  it('of a file are a copy of it as it stands, unless it is too large or another one', async () => {
    const file = join(root, 'file');
    writeFileSync(file, bytes('1'));
    const content = { kind: 'binary', digest: sha256(bytes('1')) } as const;
    const saved = await store.storeFile(file, content);
    writeFileSync(file, bytes('2'));
    expect(await fresh().read((saved as { stored: Stored }).stored)).toEqual(bytes('1'));
    await expect(store.storeFile(file, content)).rejects.toThrow('changed at the same time');
    truncateSync(file, MAX_STORED_BYTES + 1);
    expect(await store.take(file)).toBeUndefined();
    expect(names()).toEqual([sha256(bytes('1')), sha256(bytes('2'))].sort());
  });
});

describe('a sweep', () => {
  it('leaves what an owner names, what is held or was put since the last one, and takes what a crash left', async () => {
    const [named, held, old] = ['named', 'held', 'old'].map((letter) => store.put(large(letter)));
    await store.settled();
    writeFileSync(join(root, 'store', `${sha256('x')}.0-1.half`), 'x');
    writeFileSync(join(root, 'store', 'other.json'), '{}');
    const next = fresh();
    next.addOwner(async () => [named!]);
    const release = next.hold(held!);
    const sweep = next.sweep();
    const put = next.put(large('put'));
    await sweep;
    await next.settled();
    expect(names()).toEqual([named!.name, held!.name, put.name, 'other.json'].sort());
    expect([next.has(old!), next.has(put)]).toEqual([false, true]);
    release();
    for (let i = 0; i < 2; i++) await next.sweep();
    expect(names()).toEqual([named!.name, 'other.json'].sort());
  });

  it('does nothing where an owner cannot tell what it names', async () => {
    store.put(large('a'));
    await store.settled();
    const next = fresh();
    next.addOwner(() => Promise.reject(new Error('unread')));
    await next.sweep();
    expect(names()).toHaveLength(1);
  });

  it('asks those again that answer at once: a content may move from one owner to another', async () => {
    const stored = store.put(large('a'));
    await store.settled();
    const next = fresh();
    let [first, second]: Stored[][] = [[], [stored]];
    next.addOwner(() => first!);
    next.addOwner(async () => {
      await Promise.resolve();
      [first, second] = [second, []];
      return [];
    });
    next.addOwner(() => second!);
    await next.sweep();
    expect(names()).toEqual([stored.name]);
  });

  it('leaves a pack of which one content is named, and erases the others if the user deleted something', async () => {
    const [a, b, c] = ['secret a', 'b', 'secret c'].map((text) => store.put(bytes(text)));
    await store.settled();
    const named = [b!];
    store.addOwner(() => named);
    for (let i = 0; i < 2; i++) await store.sweep();
    expect(await store.read(a!)).toEqual(bytes('secret a'));
    await store.sweep(true);
    expect(await fresh().read(b!)).toEqual(bytes('b'));
    expect(all().join()).not.toContain('secret');
    await expect(fresh().read(c!)).rejects.toThrow('damaged or missing');
    // What comes again is stored again.
    expect(await store.read(store.put(bytes('secret a')))).toEqual(bytes('secret a'));
    await store.settled();
    named.length = 0;
    for (let i = 0; i < 3; i++) await store.sweep();
    expect(names()).toEqual([]);
  });

  it('takes no folder with the name of a content, and says so', async () => {
    mkdirSync(join(root, 'store', sha256('a'), 'x'), { recursive: true });
    await store.sweep();
    expect(names()).toEqual([sha256('a')]);
  });
});
