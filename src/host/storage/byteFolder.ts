import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { type FileHandle, readFile, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Logger } from '../../base/log';
import { isContentName, type KeptBytes } from '../../changes/wholeChange';
import { eachEntry } from '../../node/eachEntry';
import { notKept } from '../platform/notKeptError';
import { sha256 } from './contentName';
import { replaceFileSync } from './replaceFile';
import { HALF, type StoreFiles, storeFiles } from './storeFiles';

/** Larger files are listed when an agent changes them, but their content is not stored. Bytes. */
export const MAX_KEPT_BYTES = 50 * 1024 * 1024;

/**
 * Contents of files, in files that are named by their SHA-256. Each is written under another name first, so one with
 * its final name is complete. A put is not on disk at once: `settled` tells when, and `flushSync` writes it.
 */
export class ByteFolder {
  readonly #waiting = new Map<string, Uint8Array>();
  readonly #using = new Map<string, number>();
  /** Names put since the last sweep began: they are wanted, even if that sweep does not know them. */
  #recent = new Set<string>();
  #queue: Promise<void> = Promise.resolve();
  #lastNumber = 0;

  constructor(
    readonly folder: string,
    private readonly log: Logger,
    private readonly files: StoreFiles = storeFiles,
  ) {}

  /** Stores bytes; `settled` tells whether that succeeded. */
  put(bytes: Uint8Array): KeptBytes {
    const name = sha256(bytes);
    this.#recent.add(name);
    if (!this.#waiting.has(name)) {
      this.#waiting.set(name, bytes);
      this.#queue = this.#queue
        .then(() => this.#write(name))
        .catch((error: unknown) => this.log.error(`The bytes of a file could not be kept: ${String(error)}`));
    }
    return { name, size: bytes.length };
  }

  /** Adopts a file with these bytes that nobody changes any more, at once. @throws Error if that fails. */
  adoptSync(file: string, kept: KeptBytes): void {
    this.#recent.add(kept.name);
    if (this.#waiting.has(kept.name) || existsSync(this.#fileOf(kept))) return;
    mkdirSync(this.folder, { recursive: true });
    this.files.linkSync(file, this.#fileOf(kept));
  }

  /**
   * Copies a file in its current state and stores the copy.
   * @returns undefined if it has more than `maxBytes`. @throws Error if it cannot be read or written.
   */
  async take(file: string, maxBytes: number): Promise<KeptBytes | undefined> {
    const { size } = await stat(file);
    if (size > maxBytes) return undefined;
    await this.files.makeFolder(this.folder);
    const fresh = this.#fresh('copy');
    try {
      await this.files.copy(file, fresh);
      // Read the copy: the file itself may change meanwhile.
      const kept = await keptIn(fresh);
      if (kept.size > maxBytes) return undefined;
      this.#recent.add(kept.name);
      await this.files.rename(fresh, this.#fileOf(kept));
      return kept;
    } finally {
      this.files.removeSync(fresh);
    }
  }

  /** Copies a content from another folder. @throws Error if it is no longer there. */
  async takeFrom(other: ByteFolder, kept: KeptBytes): Promise<void> {
    if (existsSync(this.#fileOf(kept))) return;
    await other.use(kept, async (file) => this.adoptSync(file, kept));
  }

  /**
   * Uses the file of some bytes, which stays meanwhile; it must only be read.
   * @throws Error if it is missing or damaged.
   */
  async use<T>(kept: KeptBytes, work: (file: string) => Promise<T>): Promise<T> {
    const release = this.hold(kept);
    try {
      if (this.#waiting.has(kept.name)) await this.settled();
      const file = this.#fileOf(kept);
      const found = await keptIn(file).catch(() => undefined);
      if (found?.name !== kept.name) throw new Error(l10n.t('its stored copy is damaged or missing'));
      return await work(file);
    } finally {
      release();
    }
  }

  /** The content stays until the result is called, wanted or not. */
  hold({ name }: KeptBytes): () => void {
    this.#using.set(name, (this.#using.get(name) ?? 0) + 1);
    return () => {
      const users = (this.#using.get(name) ?? 1) - 1;
      if (users > 0) this.#using.set(name, users);
      else this.#using.delete(name);
    };
  }

  /** The bytes themselves. @throws as `use`. */
  read(kept: KeptBytes): Promise<Buffer> {
    return this.use(kept, (file) => readFile(file));
  }

  /** Resolves when all puts are on disk; failed ones are tried once more. @throws NotKeptError */
  async settled(): Promise<void> {
    const tried = this.#queue.then(async () => {
      for (const name of [...this.#waiting.keys()]) await this.#write(name);
    });
    this.#queue = tried.catch(() => undefined);
    await tried.catch((error: unknown) => {
      throw notKept(this.folder, error);
    });
  }

  /** Synchronous flush for `deactivate()`. @throws Error if it cannot be written. */
  flushSync(): void {
    for (const [name, bytes] of this.#waiting)
      replaceFileSync(nodePath.join(this.folder, name), bytes, this.#fresh(name));
    this.#waiting.clear();
  }

  /** Removes one. */
  drop(kept: KeptBytes): void {
    if (!this.#using.has(kept.name)) this.files.removeSync(this.#fileOf(kept));
  }

  /** Removes all contents that are no longer wanted, and files that a crash left incomplete. */
  async sweep(isWanted: (name: string) => boolean): Promise<void> {
    this.#recent = new Set();
    await eachEntry(
      this.files.list(this.folder),
      (reason) => this.log.warn(`Stored bytes could not be removed: ${reason}`),
      (file) => {
        const isHalf = file.endsWith(HALF) && !this.#isOwn(file);
        // Synchronous, so that no caller can come to want it between the check and the removal.
        if (
          isHalf ||
          (isContentName(file) &&
            !isWanted(file) &&
            !this.#recent.has(file) &&
            !this.#using.has(file) &&
            !this.#waiting.has(file))
        )
          this.files.removeSync(nodePath.join(this.folder, file));
      },
    );
  }

  async #write(name: string): Promise<void> {
    const bytes = this.#waiting.get(name);
    // `flushSync` has written it meanwhile.
    if (!bytes) return;
    const file = nodePath.join(this.folder, name);
    if (!existsSync(file)) {
      await this.files.makeFolder(this.folder);
      const fresh = this.#fresh(name);
      try {
        await this.files.write(fresh, bytes);
        await this.files.rename(fresh, file);
      } catch (error) {
        // A partial file takes room on a full disk.
        this.files.removeSync(fresh);
        throw error;
      }
    }
    this.#waiting.delete(name);
  }

  #fresh(name: string): string {
    return nodePath.join(this.folder, `${name}.${process.pid}-${++this.#lastNumber}${HALF}`);
  }

  /** Whether this process is writing it. */
  #isOwn(file: string): boolean {
    return file.includes(`.${process.pid}-`);
  }

  #fileOf({ name }: KeptBytes): string {
    return nodePath.join(this.folder, name);
  }
}

/** Reads a file's content piece by piece. @throws as reading does. */
export async function keptIn(file: string | FileHandle): Promise<KeptBytes> {
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
