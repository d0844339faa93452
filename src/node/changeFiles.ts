import * as l10n from '@vscode/l10n';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, stat, statfs, unlink } from 'node:fs/promises';
import nodePath from 'node:path';
import { whileLocked } from './fileLock';
import { inFolder, isSame, LinkedPathError, openWithoutLinks, openWithStats } from './openWithoutLinks';
import { renameFile } from './renameFile';

/** All paths here are absolute with links resolved, as `openWithoutLinks` requires, and each call throws as it does. */

/**
 * Tells whether a file still has its expected content. Called at the last moment, with the content of the open file.
 */
export type Expected = (now: Buffer, stats: Stats) => boolean | Promise<boolean>;

/**
 * Replaces a file's bytes in place: owner, permissions and hard links stay. If the host is killed in between, the file
 * is at least as long as the shorter text.
 * @param isExpected false leaves it unchanged.
 * @returns whether it was written.
 * @throws also if the disk is full (`ENOSPC`, `EDQUOT`); the file then has its old content.
 */
export function overwriteFile(path: string, bytes: Uint8Array, isExpected?: Expected): Promise<boolean> {
  return whileLocked(path, () => compareAndWrite(path, bytes, isExpected));
}

async function compareAndWrite(path: string, bytes: Uint8Array, isExpected: Expected | undefined): Promise<boolean> {
  const { file, stats } = await openWithStats(path, constants.O_RDWR);
  try {
    const before = await readFrom(file, stats.size);
    if (isExpected && !(await isExpected(before, stats))) return false;
    try {
      await writeAll(file, bytes);
    } catch (error) {
      // On a full disk, the old content still fits.
      await writeAll(file, before);
      throw isFull(error) ? noRoom(path) : error;
    }
    return true;
  } finally {
    await file.close();
  }
}

/**
 * Creates a file with its folders.
 * @param mode permission bits; if absent, those of any new file.
 * @throws `EEXIST` if it exists.
 */
export async function createFile(path: string, bytes: Uint8Array, mode?: number): Promise<void> {
  const file = await openWithoutLinks(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, {
    makeFolders: true,
  });
  try {
    await writeAll(file, bytes);
    if (mode !== undefined) await file.chmod(mode);
  } catch (error) {
    // Do not leave a partial file.
    await removeFile(path).catch(() => undefined);
    throw isFull(error) ? noRoom(path) : error;
  } finally {
    await file.close();
  }
}

/**
 * Writes a file that is as expected.
 * @param isExpected undefined: there is none yet.
 * @returns whether it was written
 */
export async function putBytes(path: string, bytes: Uint8Array, isExpected: Expected | undefined): Promise<boolean> {
  try {
    if (isExpected) return await overwriteFile(path, bytes, isExpected);
    await createFile(path, bytes);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === (isExpected ? 'ENOENT' : 'EEXIST')) return false;
    throw error;
  }
}

/**
 * @throws Error if the folder of a file has no room for its replacement.
 * @param size bytes of the replacement, however it is written
 */
export async function refuseFullDisk(path: string, size: number): Promise<void> {
  const [room, file] = await Promise.all([
    statfs(nodePath.dirname(path)).catch(() => undefined),
    stat(path).catch(() => undefined),
  ]);
  if (room && Math.max(0, size - (file?.size ?? 0)) > room.bavail * room.bsize) throw noRoom(path);
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

function noRoom(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(l10n.t('Not enough disk space for {0}. Parley wrote nothing', path)), {
    code: 'ENOSPC',
  });
}

/**
 * Removes a file. A missing file is not an error; a link that replaced it stays.
 * @param isExpected false leaves it unchanged. @returns whether it is gone
 */
export function removeFile(path: string, isExpected?: Expected): Promise<boolean> {
  return whileLocked(path, () => compareAndRemove(path, isExpected));
}

async function compareAndRemove(path: string, isExpected: Expected | undefined): Promise<boolean> {
  try {
    const seen = isExpected && (await seenAs(path, isExpected));
    if (isExpected && !seen) return false;
    return await inFolder(nodePath.dirname(path), async (at) => {
      const entry = at(nodePath.basename(path));
      const stats = await lstat(entry);
      if (stats.isSymbolicLink()) throw new LinkedPathError(path);
      if (seen && !(stats.ino === seen.ino && stats.ctimeMs === seen.ctimeMs && stats.size === seen.size)) return false;
      await unlink(entry);
      return true;
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    return true;
  }
}

/** The stats of a file that is as expected; undefined for another one. */
async function seenAs(path: string, isExpected: Expected): Promise<Stats | undefined> {
  const { file, stats } = await openWithStats(path, constants.O_RDONLY);
  try {
    return (await isExpected(await readFrom(file, stats.size), stats)) ? stats : undefined;
  } finally {
    await file.close();
  }
}

const statOf = (entry: string) => lstat(entry, { bigint: true });

/** Renames a file and creates the folders of its new path. @throws Error if that path exists. */
export async function moveFile(from: string, to: string): Promise<void> {
  await inFolder(nodePath.dirname(from), (fromFolder) =>
    inFolder(
      nodePath.dirname(to),
      async (toFolder) => {
        const [entry, fresh] = [fromFolder(nodePath.basename(from)), toFolder(nodePath.basename(to))];
        const [found, moved] = await Promise.all([statOf(fresh).catch(() => undefined), statOf(entry)]);
        // Where case does not count, the old name in other letters finds the file itself.
        const isItself = found !== undefined && isSame(found, moved) && from.toLowerCase() === to.toLowerCase();
        if (found && !isItself) throw new Error(l10n.t('{0} already exists', to));
        if (moved.isSymbolicLink()) throw new LinkedPathError(from);
        await renameFile(entry, fresh);
      },
      { makeFolders: true },
    ),
  );
}

/** Changes permission bits. @param change the new bits from the current ones */
export async function changeMode(path: string, change: (mode: number) => number): Promise<void> {
  const file = await openWithoutLinks(path, constants.O_RDONLY);
  try {
    await file.chmod(change((await file.stat()).mode & 0o7777));
  } finally {
    await file.close();
  }
}

/**
 * Reads an open file from its beginning.
 * @param size the probable number of bytes: then one read also finds the end
 */
export async function readFrom(file: FileHandle, size?: number): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(size === undefined ? 64 * 1024 : size + 1);
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(buffer, at, buffer.length - at, at);
    at += bytesRead;
    // Asked for one more byte, the system had no more.
    if (bytesRead === 0 || at === size)
      return size === undefined ? Buffer.from(buffer.subarray(0, at)) : buffer.subarray(0, at);
    if (at === buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length)
    written += (await file.write(bytes, written, bytes.length - written, written)).bytesWritten;
  await file.truncate(bytes.length);
}
