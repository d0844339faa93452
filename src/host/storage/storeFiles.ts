import { appendFile, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';

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
