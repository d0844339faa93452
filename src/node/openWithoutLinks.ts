import type { BigIntStats, Stats } from 'node:fs';
import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink } from 'node:fs/promises';
import nodePath from 'node:path';

/** The calls that look up a path, as a parameter: tests exchange folders between them. */
export interface PathCalls {
  readonly open: (path: string, flags: number, mode?: number) => Promise<FileHandle>;
  readonly lstat: (path: string) => Promise<BigIntStats>;
  readonly mkdir: (path: string) => Promise<unknown>;
  readonly readlink: (path: string) => Promise<string>;
}

export interface OpenOptions {
  /** Permission bits of a file that is created. */
  readonly mode?: number;
  /** Makes the missing folders on the way. */
  readonly makeFolders?: boolean;
  readonly calls?: PathCalls;
  /**
   * How links are kept out. `descriptors` opens the folder, asks the system for its path, and continues from the open
   * folder, which no exchange can deceive. `compare` opens by path and compares afterwards, before any byte is read or
   * written; a file or folder that is created, removed or renamed just then may be elsewhere, and that is an error
   * afterwards.
   */
  readonly way?: 'descriptors' | 'compare';
}

/**
 * The path now leads through a link, or to a file other than the opened one. The message is for users: it follows a
 * file's name and a colon.
 */
export class LinkedPathError extends Error {
  override readonly name = 'LinkedPathError';
  readonly code = 'ELOOP';

  /** @param path the link, or the file. */
  constructor(readonly path: string) {
    super(`${path} is a link now, or was replaced at this moment, so Parley did not follow it`);
  }
}

/**
 * Opens a regular file without following a link anywhere in its path, including the folders above.
 * @param path absolute, with all links resolved (`realpath`) when it was checked; on Windows in `realpath`'s spelling.
 * @param flags those of open(2), without `O_TRUNC`: truncate the handle, once it is known to be the file.
 * @returns the caller closes it.
 * @throws LinkedPathError if there is a link in the path; else an error of the system (`code`): `ENOENT`, `EACCES`,
 * `EEXIST` with `O_EXCL`, `EISDIR` for a folder, `EINVAL` for a pipe, socket or device.
 */
export async function openWithoutLinks(path: string, flags: number, options: OpenOptions = {}): Promise<FileHandle> {
  return (await openWithStats(path, flags, options)).file;
}

/** The same, with the stats of the opened file. */
export function openWithStats(
  path: string,
  flags: number,
  options: OpenOptions = {},
): Promise<{ readonly file: FileHandle; readonly stats: Stats }> {
  if ((flags & constants.O_TRUNC) !== 0) throw new TypeError('O_TRUNC would empty a file before it is known which');
  const { calls = systemCalls, way = wayHere } = options;
  return throughFolder(
    nodePath.dirname(path),
    async (at) => {
      const name = nodePath.basename(path);
      const file = await calls
        .open(at(name), flags | noFollow | noWaiting, options.mode)
        .catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ELOOP') throw new LinkedPathError(path);
          if (error.code === 'ENXIO') throw notRegular(path);
          throw error;
        });
      try {
        const stats = await file.stat();
        refuseOther(stats, path);
        if (
          way === 'compare' &&
          !isSame(await file.stat({ bigint: true }), await lstatAll(path, { ...calls, mkdir: undefined }))
        )
          throw new LinkedPathError(path);
        return { file, stats };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    options,
  );
}

/**
 * Works on the entries of a folder, without following a link on the way to it.
 * @param folder absolute, with all links resolved when it was checked.
 * @param work gets a function from the name of an entry to a path for system calls, which is valid until `work` has
 * settled. The caller handles a link at the entry itself: `lstat`, `unlink` and `rename` follow none.
 * @throws as `openWithoutLinks`; `ENOTDIR` if it is not a folder.
 */
export async function inFolder<T>(folder: string, work: Work<T>, options: OpenOptions = {}): Promise<T> {
  const { calls = systemCalls, way = wayHere } = options;
  const result = await throughFolder(folder, work, options);
  if (way === 'compare') await lstatAll(folder, { ...calls, mkdir: undefined });
  return result;
}

async function throughFolder<T>(
  folder: string,
  work: Work<T>,
  { calls = systemCalls, way = wayHere, makeFolders = false }: OpenOptions,
): Promise<T> {
  if (nodePath.resolve(folder) !== folder) throw new TypeError(`Not a resolved path: ${folder}`);
  const walk = makeFolders ? calls : { ...calls, mkdir: undefined };
  if (way === 'descriptors') return byDescriptors(folder, work, walk);
  await lstatAll(folder, walk);
  return work((name) => nodePath.join(folder, name));
}

type Work<T> = (at: (name: string) => string) => Promise<T>;

/** True if two stats are of the same file. */
export function isSame(a: Pick<BigIntStats, 'dev' | 'ino'>, b: Pick<BigIntStats, 'dev' | 'ino'>): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

const systemCalls: PathCalls = {
  open,
  lstat: (path) => lstat(path, { bigint: true }),
  mkdir: (path) => mkdir(path),
  readlink: (path) => readlink(path),
};

type Walk = Omit<PathCalls, 'mkdir'> & { readonly mkdir: PathCalls['mkdir'] | undefined };

/** Linux opens the entry of an opened folder by the name of the descriptor. */
const wayHere = process.platform === 'linux' && existsSync('/proc/self/fd') ? 'descriptors' : 'compare';

/** From Linux: a folder that may be entered need not be readable. Node has no name for it. */
const O_PATH = 0x20_0000;

/** macOS refuses links in the whole path by itself; Windows has no such flag. */
const noFollow = process.platform === 'darwin' ? 0x2000_0000 : (constants.O_NOFOLLOW ?? 0);

/** Opening a pipe would wait for its other end; a terminal would become ours. */
const noWaiting = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

const asFolder = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

async function byDescriptors<T>(folder: string, work: Work<T>, calls: Walk): Promise<T> {
  const at = (await stillOpen(folder, calls)) ?? (await opened(folder, calls));
  try {
    return await inWords(folder, at.handle, () => work((name) => `/proc/self/fd/${at.handle.fd}/${name}`));
  } finally {
    await letGo(at);
  }
}

interface OpenFolder {
  readonly handle: FileHandle;
  users: number;
  /** It stays open for the next file in it. */
  isKept: boolean;
}

const MAX_KEPT_FOLDERS = 64;
const keptFolders = new Map<string, OpenFolder>();
let keepers = 0;

/**
 * Keeps folders open during work on many files, because opening and closing them takes half of the time. Before each
 * use the system is asked again for the path of the open folder.
 */
export async function keepingFoldersOpen<T>(work: () => Promise<T>): Promise<T> {
  keepers++;
  try {
    return await work();
  } finally {
    if (--keepers === 0) await Promise.all(Array.from(keptFolders.keys(), forgetFolder));
  }
}

async function forgetFolder(folder: string): Promise<void> {
  const at = keptFolders.get(folder);
  if (!at) return;
  keptFolders.delete(folder);
  at.isKept = false;
  if (at.users === 0) await at.handle.close();
}

async function stillOpen(folder: string, { readlink }: Walk): Promise<OpenFolder | undefined> {
  const at = keptFolders.get(folder);
  if (!at) return undefined;
  at.users++;
  if ((await readlink(`/proc/self/fd/${at.handle.fd}`).catch(() => undefined)) === folder) return at;
  if (keptFolders.get(folder) === at) await forgetFolder(folder);
  await letGo(at);
  return undefined;
}

async function opened(folder: string, calls: Walk): Promise<OpenFolder> {
  const handle = await openAtOnce(folder, calls);
  if (!handle) return { handle: await walkTo(folder, calls), users: 1, isKept: false };
  const at = { handle, users: 1, isKept: keepers > 0 && !keptFolders.has(folder) };
  if (!at.isKept) return at;
  keptFolders.set(folder, at);
  for (const [other, { users }] of keptFolders) {
    if (keptFolders.size <= MAX_KEPT_FOLDERS) break;
    if (users === 0) void forgetFolder(other);
  }
  return at;
}

async function letGo(at: OpenFolder): Promise<void> {
  if (--at.users === 0 && !at.isKept) await at.handle.close();
}

/** Opens the folder by its path, then asks the system for the path of the open folder. Undefined if they differ. */
async function openAtOnce(folder: string, { open, readlink }: Walk): Promise<FileHandle | undefined> {
  const opened = await open(folder, asFolder).catch(() => undefined);
  if (!opened || (await readlink(`/proc/self/fd/${opened.fd}`).catch(() => undefined)) === folder) return opened;
  await opened.close();
  return undefined;
}

/**
 * Opens one folder after the other: finds the one that is a link, creates missing ones, and accepts any spelling of a
 * name.
 */
async function walkTo(folder: string, calls: Walk): Promise<FileHandle> {
  let reached = '/';
  let at = await calls.open(reached, asFolder);
  for (const name of folder.split('/').filter((part) => part !== '')) {
    const path = nodePath.join(reached, name);
    const from = at;
    try {
      at = await inWords(reached, from, () => openFolder(`/proc/self/fd/${from.fd}/${name}`, path, calls));
    } finally {
      await from.close();
    }
    reached = path;
  }
  return at;
}

async function openFolder(entry: string, path: string, { open, lstat, mkdir }: Walk): Promise<FileHandle> {
  try {
    return await open(entry, asFolder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if ((code === 'ENOTDIR' || code === 'ELOOP') && (await lstat(entry).catch(orMissing))?.isSymbolicLink())
      throw new LinkedPathError(path);
    if (code !== 'ENOENT' || !mkdir) throw error;
    await mkdir(entry).catch(orThere);
    return open(entry, asFolder);
  }
}

/** Replaces the descriptor's path in system errors by the folder that the user knows. */
async function inWords<T>(folder: string, { fd }: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const named = (text: string) => text.replaceAll(`/proc/self/fd/${fd}/`, nodePath.join(folder, '/'));
    if (error instanceof Error) {
      error.message = named(error.message);
      if ('path' in error && typeof error.path === 'string') error.path = named(error.path);
    }
    throw error;
  }
}

/** Checks every folder on the way, then the path itself. @throws LinkedPathError if one of them is a link. */
async function lstatAll(path: string, { lstat, mkdir }: Pick<Walk, 'lstat' | 'mkdir'>): Promise<BigIntStats> {
  const { root } = nodePath.parse(path);
  let at = root;
  let stats = await lstat(at);
  for (const name of path
    .slice(root.length)
    .split(nodePath.sep)
    .filter((part) => part !== '')) {
    at = nodePath.join(at, name);
    let found = await lstat(at).catch(orMissing);
    if (!found) {
      if (mkdir) await mkdir(at).catch(orThere);
      found = await lstat(at);
    }
    if (found.isSymbolicLink()) throw new LinkedPathError(at);
    stats = found;
  }
  return stats;
}

function refuseOther(stats: Stats, path: string): void {
  if (stats.isSymbolicLink()) throw new LinkedPathError(path);
  if (stats.isDirectory()) throw Object.assign(new Error(`${path} is a folder`), { code: 'EISDIR' });
  if (!stats.isFile()) throw notRegular(path);
}

function notRegular(path: string): Error {
  return Object.assign(new Error(`${path} is not a regular file`), { code: 'EINVAL' });
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

function orThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
