import { createHash, randomUUID } from 'node:crypto';
import { closeSync, constants, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Logger } from '../../base/log';
import { type Content, isContentName, type Stored } from '../../changes/content';
import { eachEntry } from '../../node/eachEntry';
import { notStored } from '../platform/notStoredError';
import { Batches } from './batches';
import type { ContentInHand } from './contentInHand';
import { sha256 } from './contentName';
import { replaceFileSync } from './replaceFile';
import { HALF, type StoreFiles, storeFiles } from './storeFiles';

/** Larger files are listed when an agent changes them, but their contents are not stored. Bytes. */
export const MAX_STORED_BYTES = 50 * 1024 * 1024;
/** Larger contents get files of their own. Thousands of small files would take seconds. Bytes. */
const MAX_PACKED = 256 * 1024;
/** Bytes of one pack. A pack stays as long as one of its contents is wanted. */
const MAX_PACK = 1024 * 1024;
/** After so many new bytes it is time for a sweep. */
const SWEEP_AFTER = 64 * 1024 * 1024;
/** Packs that stay in memory after they were read. */
const MAX_PACKS = 4;
const PACK = '.pack';

/** Names the contents that must stay. */
export type ContentOwner = () => Iterable<Stored> | Promise<Iterable<Stored>>;

/**
 * All contents of files that Parley stores, by their SHA-256: for pending changes, checkpoints, a crash. A content that
 * comes twice while the window lives is stored once. `put` returns at once; `settled` resolves when the bytes are on
 * disk, and only then something that outlives the window may name them. `sweep` removes what no owner names.
 */
export class ContentStore {
  /** Contents that this window has written or read, by name. */
  readonly #known = new Map<string, Stored>();
  readonly #waiting = new Map<string, { readonly stored: Stored; readonly bytes: Uint8Array }>();
  readonly #inUse = new Map<string, { readonly stored: Stored; users: number }>();
  /** Contents put or used since the last sweep began, and since the one before: no owner may name them yet. */
  #recent = new Map<string, Stored>();
  #earlier: ReadonlyMap<string, Stored> = new Map();
  readonly #owners: ContentOwner[] = [];
  #sweeping: Promise<void> = Promise.resolve();
  readonly #writes = new Batches((names: readonly string[]) => this.#write(names), 8 * MAX_PACK);
  #pack: { readonly name: string; size: number } | undefined;
  #newBytes = 0;
  readonly #packs = new Map<string, Promise<Buffer | undefined>>();
  #lastNumber = 0;

  /** @param folder absolute; made with the first content */
  constructor(
    readonly folder: string,
    private readonly log: Logger,
    private readonly files: StoreFiles = storeFiles,
  ) {}

  /** Contents that this owner names stay. */
  addOwner(owner: ContentOwner): void {
    this.#owners.push(owner);
  }

  /** Whether so much is new that a sweep is worth its time. */
  get isSweepDue(): boolean {
    return this.#newBytes > SWEEP_AFTER;
  }

  /** Stores bytes; `settled` tells whether that succeeded. */
  put(bytes: Uint8Array): Stored {
    const name = sha256(bytes);
    const stored = this.#known.get(name) ?? this.#place(name, bytes.length);
    this.#recent.set(name, stored);
    if (this.#known.has(name)) return stored;
    this.#known.set(name, stored);
    this.#waiting.set(name, { stored, bytes });
    this.#newBytes += bytes.length;
    this.#writes
      .add(name, bytes.length)
      .done.catch((error: unknown) => this.log.error(`The content of a file could not be stored: ${String(error)}`));
    return stored;
  }

  /**
   * Stores the bytes of a content, or its text if there are no bytes.
   * @returns the content as it can be saved; without `stored` if neither is in hand
   */
  store(content: ContentInHand): Content {
    if (content.kind === 'absent') return content;
    const { bytes, ...rest } = content;
    const { text, ...saved } = { text: undefined, ...rest };
    if (saved.stored) {
      this.use(saved.stored);
      return saved;
    }
    if (bytes) return { ...saved, stored: this.put(bytes) };
    return text === undefined ? saved : { ...saved, stored: this.put(Buffer.from(text)), isDecoded: true };
  }

  /**
   * Stores a copy of a file.
   * @returns undefined if it has more than `MAX_STORED_BYTES`. @throws Error if it cannot be read or written
   */
  async take(file: string): Promise<Stored | undefined> {
    if ((await stat(file)).size > MAX_STORED_BYTES) return undefined;
    await this.files.makeFolder(this.folder);
    const fresh = this.#fresh('copy');
    try {
      await this.files.copy(file, fresh);
      // Another program may write the file meanwhile. The copy no longer changes.
      const { name, size } = await bytesIn(fresh);
      if (size > MAX_STORED_BYTES) return undefined;
      const known = this.#known.get(name);
      if (known) {
        this.use(known);
        return known;
      }
      const stored = { name, size };
      this.use(stored);
      await this.files.rename(fresh, nodePath.join(this.folder, name));
      this.#known.set(name, stored);
      this.#newBytes += size;
      return stored;
    } finally {
      this.files.removeSync(fresh);
    }
  }

  /**
   * The same for a file as it is now: a content whose bytes are not in hand is copied from the disk.
   * @throws Error if it is too large, or the file has other bytes
   */
  async storeFile(path: string, content: ContentInHand): Promise<Content> {
    const saved = this.store(content);
    if (saved.kind === 'absent' || saved.stored) return saved;
    const stored = await this.take(path);
    if (!stored) throw new Error(l10n.t('it is too large to back up (over 50 MB)'));
    if (stored.name !== saved.digest) throw new Error(l10n.t('it was changed at the same time'));
    return { ...saved, stored };
  }

  /** Whether this window has written or read a content, and no sweep has removed it. */
  has({ name }: Stored): boolean {
    return this.#known.has(name);
  }

  /** Something will soon name a content: the sweep that runs leaves it. */
  use(stored: Stored): void {
    this.#recent.set(stored.name, stored);
  }

  /** A content stays until the result is called, named or not. */
  hold(stored: Stored): () => void {
    const use = this.#inUse.get(stored.name) ?? { stored, users: 0 };
    this.#inUse.set(stored.name, use);
    use.users++;
    return () => {
      if (--use.users === 0) this.#inUse.delete(stored.name);
    };
  }

  /** @throws Error if the bytes are missing or not those that were stored */
  async read(stored: Stored): Promise<Buffer> {
    const waiting = this.#waiting.get(stored.name);
    if (waiting) return Buffer.from(waiting.bytes);
    const release = this.hold(stored);
    try {
      const bytes = (await this.#inPack(stored)) ?? (await this.#onDisk(stored));
      if (!bytes) throw new Error(l10n.t('its stored copy is damaged or missing'));
      this.#known.set(stored.name, stored);
      return bytes;
    } finally {
      release();
    }
  }

  /** From the last packs in memory, because contents that were stored together are read together. */
  async #inPack(stored: Stored): Promise<Buffer | undefined> {
    const [file, offset] = placeOf(stored);
    if (offset === undefined) return undefined;
    let pack = this.#packs.get(file);
    if (!pack) {
      this.#packs.set(file, (pack = this.files.readBytes(nodePath.join(this.folder, file)).catch(() => undefined)));
      for (const oldest of this.#packs.keys()) if (this.#packs.size > MAX_PACKS) this.#packs.delete(oldest);
    }
    // A copy, because the rest of the pack need not stay.
    return verified(Buffer.from((await pack)?.subarray(offset, offset + stored.size) ?? []), stored);
  }

  async #onDisk(stored: Stored): Promise<Buffer | undefined> {
    const [file, offset] = placeOf(stored);
    const path = nodePath.join(this.folder, file);
    // The pack in memory may be older than the content.
    this.#packs.delete(file);
    const bytes = offset === undefined ? this.files.readBytes(path) : this.files.readAt(path, offset, stored.size);
    return verified(await bytes.catch(() => undefined), stored);
  }

  /** True if these contents are on disk, or all that were put. */
  isSettled(wanted?: readonly Stored[]): boolean {
    return wanted ? !wanted.some(({ name }) => this.#waiting.has(name)) : this.#waiting.size === 0;
  }

  /**
   * Resolves when these contents are on disk, or all that were put. Contents that could not be written are tried once
   * more; others do not wait for them.
   * @throws NotStoredError
   */
  async settled(wanted?: readonly Stored[]): Promise<void> {
    if (this.isSettled(wanted)) return;
    await this.#writes.settled();
    if (this.isSettled(wanted)) return;
    this.#writes.close();
    await this.#writes.add('', 0).done.catch((error: unknown) => {
      if (!this.isSettled(wanted)) throw notStored(this.folder, error);
    });
  }

  /** Writes what waits, at once: the window ends. @throws Error if it cannot be written */
  flushSync(): void {
    for (const [name, { stored, bytes }] of this.#waiting) {
      const [file, offset] = placeOf(stored);
      const path = nodePath.join(this.folder, file);
      if (offset === undefined) replaceFileSync(path, bytes, this.#fresh(name));
      else {
        mkdirSync(this.folder, { recursive: true });
        const opened = openSync(path, constants.O_WRONLY | constants.O_CREAT);
        try {
          // A disk that is nearly full takes a part, and tells so only at the next one.
          for (let done = 0; done < bytes.length;)
            done += writeSync(opened, bytes, done, bytes.length - done, offset + done);
        } finally {
          closeSync(opened);
        }
      }
    }
    this.#waiting.clear();
  }

  /**
   * Removes the files of which no owner names a content, and what a crash left half written.
   * @param erases also overwrites contents that nobody names in packs that stay: the user deleted something
   */
  sweep(erases = false): Promise<void> {
    return (this.#sweeping = this.#sweeping
      .then(() => this.#sweepNow(erases))
      .catch((error: unknown) => this.log.warn(`Stored contents could not be removed: ${String(error)}`)));
  }

  async #sweepNow(erases: boolean): Promise<void> {
    // A deletion comes after all writes for which a content was put.
    this.#earlier = erases ? new Map() : this.#recent;
    this.#recent = new Map();
    this.#newBytes = 0;
    // Nothing new comes into a pack that is looked at here.
    this.#pack = undefined;
    this.#packs.clear();
    const refused = (reason: string) => this.log.warn(`Stored contents could not be removed: ${reason}`);
    const files = await this.files.list(this.folder).catch(() => []);
    const first = this.#owners.map((owner) => owner());
    const read = await Promise.all(first);
    const wanted = new Map<string, Stored[]>();
    const want = (stored: Stored) => {
      const [file] = placeOf(stored);
      const others = wanted.get(file);
      if (others) others.push(stored);
      else wanted.set(file, [stored]);
    };
    // Those that answer at once are asked again, all at one moment: a content may have moved from one to another.
    for (const [i, owner] of this.#owners.entries())
      for (const stored of first[i] instanceof Promise ? read[i]! : (owner() as Iterable<Stored>)) want(stored);
    for (const stored of [...this.#earlier.values(), ...this.#recent.values()]) want(stored);
    for (const { stored } of [...this.#inUse.values(), ...this.#waiting.values()]) want(stored);
    const names = new Set([...wanted.values()].flatMap((all) => all.map(({ name }) => name)));
    for (const [name, stored] of this.#known)
      if (!wanted.has(placeOf(stored)[0]) || (erases && !names.has(name))) this.#known.delete(name);
    const partly: string[] = [];
    await eachEntry(Promise.resolve(files), refused, (file) => {
      const isHalf = file.endsWith(HALF) && !file.includes(`.${process.pid}-`);
      const isPack = file.endsWith(PACK);
      if (isHalf || ((isPack || isContentName(file)) && !wanted.has(file)))
        this.files.removeSync(nodePath.join(this.folder, file));
      else if (isPack) partly.push(file);
    });
    if (erases) await eachEntry(Promise.resolve(partly), refused, (file) => this.#erase(file, wanted.get(file)!));
  }

  /** Overwrites all of a pack but these contents. */
  async #erase(file: string, wanted: readonly Stored[]): Promise<void> {
    const path = nodePath.join(this.folder, file);
    const bytes = await this.files.readBytes(path);
    let end = 0;
    for (const stored of [...wanted].sort((a, b) => placeOf(a)[1]! - placeOf(b)[1]!)) {
      const start = placeOf(stored)[1]!;
      if (start > end && bytes.subarray(end, start).some((byte) => byte !== 0))
        await this.files.writeAt(path, end, Buffer.alloc(start - end));
      end = Math.max(end, start + stored.size);
    }
    if (end < bytes.length) await this.files.truncate(path, end);
  }

  #place(name: string, size: number): Stored {
    if (size > MAX_PACKED) return { name, size };
    if (!this.#pack || this.#pack.size + size > MAX_PACK) this.#pack = { name: randomUUID(), size: 0 };
    const at = `${this.#pack.name}:${this.#pack.size}`;
    this.#pack.size += size;
    return { name, size, at };
  }

  /**
   * Writes these contents and all others that wait. Neighbours in a pack are one write. Where a large one has no room,
   * a small one may have.
   */
  async #write(_names: readonly string[]): Promise<void> {
    // The end of the window has written them.
    if (this.#waiting.size === 0) return;
    await this.files.makeFolder(this.folder);
    const runs: { file: string; offset: number; end: number; names: string[]; parts: Uint8Array[] }[] = [];
    const large: (readonly [name: string, bytes: Uint8Array])[] = [];
    for (const [name, { stored, bytes }] of this.#waiting) {
      const [file, offset] = placeOf(stored);
      const last = runs.at(-1);
      if (offset === undefined) large.push([name, bytes]);
      else if (last?.file === file && last.end === offset) {
        last.names.push(name);
        last.parts.push(bytes);
        last.end += bytes.length;
      } else runs.push({ file, offset, end: offset + bytes.length, names: [name], parts: [bytes] });
    }
    const errors: unknown[] = [];
    const failed = (error: unknown) => void errors.push(error);
    for (const { file, offset, names, parts } of runs)
      await this.files.writeAt(nodePath.join(this.folder, file), offset, Buffer.concat(parts)).then(() => {
        for (const name of names) this.#waiting.delete(name);
      }, failed);
    for (const [name, bytes] of large) await this.#writeFile(name, bytes).catch(failed);
    if (errors.length > 0) throw errors[0];
  }

  async #writeFile(name: string, bytes: Uint8Array): Promise<void> {
    const fresh = this.#fresh(name);
    try {
      await this.files.write(fresh, bytes);
      await this.files.rename(fresh, nodePath.join(this.folder, name));
      this.#waiting.delete(name);
    } catch (error) {
      // Half a file takes room on a disk that is full.
      this.files.removeSync(fresh);
      throw error;
    }
  }

  #fresh(name: string): string {
    return nodePath.join(this.folder, `${name}.${process.pid}-${++this.#lastNumber}${HALF}`);
  }
}

function verified(bytes: Buffer | undefined, { name }: Stored): Buffer | undefined {
  return bytes && sha256(bytes) === name ? bytes : undefined;
}

/** The file of a content, and where it begins in a pack. */
function placeOf({ name, at }: Stored): readonly [file: string, offset: number | undefined] {
  if (at === undefined) return [name, undefined];
  const [pack, offset] = at.split(':');
  return [`${pack}${PACK}`, Number(offset)];
}

/** The SHA-256 and size of a file, read piece by piece. @throws as reading does */
export async function bytesIn(file: string | FileHandle): Promise<Stored> {
  const hash = createHash('sha256');
  let size = 0;
  const highWaterMark = 1024 * 1024;
  const stream =
    typeof file === 'string'
      ? createReadStream(file, { highWaterMark })
      : file.createReadStream({ highWaterMark, start: 0, autoClose: false });
  for await (const part of stream as AsyncIterable<Buffer>) {
    hash.update(part);
    size += part.length;
  }
  return { name: hash.digest('hex'), size };
}
