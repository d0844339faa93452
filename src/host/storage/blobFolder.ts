import { appendFile, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import nodePath from 'node:path';
import { nameOf } from './contentName';

/** What a store does to the disk, as a parameter: a test ends the process at each of these. */
export interface StoreFiles {
  /** With the folders above it. */
  makeFolder(folder: string): Promise<unknown>;
  write(file: string, text: string): Promise<void>;
  append(file: string, content: string | Uint8Array): Promise<void>;
  /** Cuts off what is behind so many bytes. */
  truncate(file: string, size: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  read(file: string): Promise<string>;
  readBytes(file: string): Promise<Buffer>;
  list(folder: string): Promise<string[]>;
  /** A folder with all that is in it. What is not there is no error. */
  remove(path: string): Promise<void>;
}

export const storeFiles: StoreFiles = {
  makeFolder: (folder) => mkdir(folder, { recursive: true }),
  write: (file, text) => writeFile(file, text),
  append: (file, content) => appendFile(file, content),
  truncate,
  rename,
  read: (file) => readFile(file, 'utf8'),
  readBytes: (file) => readFile(file),
  list: (folder) => readdir(folder),
  remove: (path) => rm(path, { recursive: true, force: true }),
};

const SUFFIX = '.json';

/**
 * JSON values as files that are named by their content. A file that a crash cut off has a name that nothing refers to, and
 * is written again by whoever needs it, because only what this run has written or read is taken for there.
 */
export class BlobFolder {
  /** Characters, by name. */
  private readonly there = new Map<string, number>();
  private readonly writing = new Map<string, Promise<void>>();
  private chars = 0;
  private isMade = false;

  constructor(
    readonly folder: string,
    private readonly files: StoreFiles,
  ) {}

  /** Characters in all blobs that were written or read here. */
  get size(): number {
    return this.chars;
  }

  async make(): Promise<void> {
    if (!this.isMade) await this.files.makeFolder(this.folder);
    this.isMade = true;
  }

  /** @returns the name, once the blob is on disk. */
  async put(value: unknown): Promise<string> {
    const text = JSON.stringify(value);
    const name = nameOf(text);
    if (this.there.has(name)) return name;
    // Two writes of one file at the same time would cut each other off.
    let writing = this.writing.get(name);
    if (!writing) this.writing.set(name, (writing = this.write(name, text).finally(() => this.writing.delete(name))));
    await writing;
    return name;
  }

  /** @throws Error where it is not there, or is not what was written. */
  async get(name: string): Promise<unknown> {
    const text = await this.files.read(this.fileOf(name));
    if (nameOf(text) !== name) throw new Error('not what was written');
    this.note(name, text);
    return JSON.parse(text) as unknown;
  }

  /** Removes all blobs but these. */
  async sweep(kept: ReadonlySet<string>): Promise<void> {
    for (const file of await this.files.list(this.folder)) {
      const name = file.slice(0, -SUFFIX.length);
      if (!file.endsWith(SUFFIX) || name.length !== 64 || kept.has(name)) continue;
      this.chars -= this.there.get(name) ?? 0;
      this.there.delete(name);
      await this.files.remove(this.fileOf(name));
    }
  }

  private async write(name: string, text: string): Promise<void> {
    await this.make();
    await this.files.write(this.fileOf(name), text);
    this.note(name, text);
  }

  private note(name: string, text: string): void {
    this.chars += text.length - (this.there.get(name) ?? 0);
    this.there.set(name, text.length);
  }

  private fileOf(name: string): string {
    return nodePath.join(this.folder, name + SUFFIX);
  }
}
