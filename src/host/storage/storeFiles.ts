import { constants, copyFileSync, linkSync, renameSync, rmSync } from 'node:fs';
import { appendFile, copyFile, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';

/** The disk operations of a store, as a parameter: a test ends the process at each of these. */
export interface StoreFiles {
  /** Including the folders above it. */
  makeFolder(folder: string): Promise<unknown>;
  write(file: string, content: string | Uint8Array): Promise<void>;
  append(file: string, content: string | Uint8Array): Promise<void>;
  /** Cuts a file to a size in bytes. */
  truncate(file: string, size: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  read(file: string): Promise<string>;
  readBytes(file: string): Promise<Buffer>;
  list(folder: string): Promise<string[]>;
  /** Removes a folder with its content. A missing one is not an error. */
  remove(path: string): Promise<void>;
  removeSync(file: string): void;
  /** Without reading it if the file system can share blocks. */
  copy(from: string, to: string): Promise<void>;
  /** A second name for a file that never changes, or a copy on a system without hard links. */
  linkSync(from: string, to: string): void;
}

/** Suffix of a file that is being written. */
export const HALF = '.half';

export const storeFiles: StoreFiles = {
  makeFolder: (folder) => mkdir(folder, { recursive: true }),
  write: (file, content) => writeFile(file, content),
  append: (file, content) => appendFile(file, content),
  truncate,
  rename,
  read: (file) => readFile(file, 'utf8'),
  readBytes: (file) => readFile(file),
  list: (folder) => readdir(folder),
  remove: (path) => rm(path, { recursive: true, force: true }),
  removeSync: (file) => rmSync(file, { force: true }),
  copy: (from, to) => copyFile(from, to, constants.COPYFILE_FICLONE),
  linkSync: (from, to) => {
    try {
      linkSync(from, to);
    } catch {
      copyFileSync(from, `${to}.link${HALF}`, constants.COPYFILE_FICLONE);
      renameSync(`${to}.link${HALF}`, to);
    }
  },
};
