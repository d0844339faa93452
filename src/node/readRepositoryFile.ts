import { constants } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { Logger } from '../base/log';
import { openWithoutLinks } from './openWithoutLinks';
import { isWithin } from './isWithin';

/** No person writes longer rules or settings. Bytes. */
export const MAX_TEXT = 1024 * 1024;
/** The most paths whose skipping is logged. */
const MAX_TOLD = 500;
const told = new Set<string>();

/**
 * Reads a file of a repository that Parley itself needs: rules, settings, git's own notes. A link in the folder may
 * lead to another file in it. A path that is not a regular file, leads outside, or is too large is skipped, with one
 * line in the log for each path.
 * @param folder absolute; the repository, beyond which no link may lead.
 * @param path absolute, in the folder.
 * @param maxBytes larger files are skipped.
 * @returns undefined if there is no such file, or it was skipped. Never blocks, never throws.
 */
export async function readRepositoryFile(
  folder: string,
  path: string,
  maxBytes: number,
  log: Pick<Logger, 'warn'>,
): Promise<Buffer | undefined> {
  try {
    const real = await realpath(path);
    if (!isWithin(real, await realpath(folder))) throw new Error('it is a link that leaves the folder');
    return await readBounded(real, maxBytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (!told.has(path) && told.size < MAX_TOLD) {
      told.add(path);
      log.warn(
        `${path} was skipped: ${code === 'ELOOP' ? 'its links lead in a circle, or changed meanwhile' : message}`,
      );
    }
    return undefined;
  }
}

/** The same as text. */
export async function readRepositoryText(
  folder: string,
  path: string,
  log: Pick<Logger, 'warn'>,
): Promise<string | undefined> {
  return (await readRepositoryFile(folder, path, MAX_TEXT, log))?.toString('utf8');
}

/**
 * Reads a regular file up to a limit, even while it grows.
 * @param path absolute, with links resolved.
 * @throws Error if it is larger, and as `openWithoutLinks`.
 */
export async function readBounded(path: string, maxBytes: number): Promise<Buffer> {
  const handle = await openWithoutLinks(path, constants.O_RDONLY);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw tooLarge(size, maxBytes);
    // One byte more than its size detects a file that is longer than that.
    const buffer = Buffer.alloc(Math.min(maxBytes, Math.max(size, MIN_READ)) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      length += bytesRead;
      if (bytesRead === 0) return buffer.subarray(0, length);
      if (length === buffer.length)
        throw length > maxBytes ? tooLarge(length, maxBytes) : new Error('it grew while it was read');
    }
  } finally {
    await handle.close();
  }
}

/** Files of `/proc` and the like report a size of 0 and still have content. */
const MIN_READ = 4_096;

function tooLarge(size: number, maxBytes: number): Error {
  return new Error(`it has ${size} bytes or more, and at most ${maxBytes} are read`);
}
