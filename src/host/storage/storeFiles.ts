import { constants, copyFileSync, linkSync, renameSync, rmSync } from 'node:fs';
import { appendFile, copyFile, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';

/** What a store does to the disk, as a parameter: a test ends the process at each of these. */
export interface StoreFiles {
  /** With the folders above it. */
  makeFolder(folder: string): Promise<unknown>;
  write(file: string, content: string | Uint8Array): Promise<void>;
  append(file: string, content: string | Uint8Array): Promise<void>;
  /** Cuts off what is behind so many bytes. */
  truncate(file: string, size: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  read(file: string): Promise<string>;
  readBytes(file: string): Promise<Buffer>;
  list(folder: string): Promise<string[]>;
  /** A folder with all that is in it. What is not there is no error. */
  remove(path: string): Promise<void>;
  removeSync(file: string): void;
  /** Without reading it where the file system can share blocks. */
  copy(from: string, to: string): Promise<void>;
  /** A second name for a file that nobody changes, or a copy where there are no such names. */
  linkSync(from: string, to: string): void;
}

/** Ends the name of a file that is being written. */
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
