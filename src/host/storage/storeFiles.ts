import { constants, rmSync } from 'node:fs';
import {
  appendFile,
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { renameFile } from '../../node/renameFile';

/** The disk operations of a store, as a parameter: a test ends the process at each of these. */
export interface StoreFiles {
  /** Including the folders above it. */
  makeFolder(folder: string): Promise<unknown>;
  write(file: string, content: string | Uint8Array): Promise<void>;
  append(file: string, content: string | Uint8Array): Promise<void>;
  /** Writes at a byte of a file, which is made if need be. */
  writeAt(file: string, offset: number, bytes: Uint8Array): Promise<void>;
  /** @returns fewer bytes if the file ends before */
  readAt(file: string, offset: number, size: number): Promise<Buffer>;
  /** Cuts off what is behind so many bytes. */
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
}

/** Suffix of a file that is being written. */
export const HALF = '.half';

export const storeFiles: StoreFiles = {
  makeFolder: (folder) => mkdir(folder, { recursive: true }),
  write: (file, content) => writeFile(file, content),
  append: (file, content) => appendFile(file, content),
  truncate,
  rename: (from, to) => renameFile(from, to),
  read: (file) => readFile(file, 'utf8'),
  readBytes: (file) => readFile(file),
  list: (folder) => readdir(folder),
  remove: (path) => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  removeSync: (file) => rmSync(file, { force: true }),
  copy: (from, to) => copyFile(from, to, constants.COPYFILE_FICLONE),
  writeAt: (file, offset, bytes) =>
    whileOpen(file, constants.O_WRONLY | constants.O_CREAT, async (opened) => {
      for (let done = 0; done < bytes.length;)
        done += (await opened.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
    }),
  readAt: (file, offset, size) =>
    whileOpen(file, constants.O_RDONLY, async (opened) => {
      const { buffer, bytesRead } = await opened.read(Buffer.alloc(size), 0, size, offset);
      return buffer.subarray(0, bytesRead);
    }),
};

async function whileOpen<T>(file: string, flags: number, work: (opened: FileHandle) => Promise<T>): Promise<T> {
  const opened = await open(file, flags);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
