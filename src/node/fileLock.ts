import { createHash } from 'node:crypto';
import { mkdir, open, readFile, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import nodePath from 'node:path';
import { isBusy } from './renameFile';

/** Longer than any write takes. After that, the other host hangs, and its own check of the bytes must suffice. */
const PATIENCE_MS = 2_000;
const LOOK_MS = 2;

/**
 * Compares and writes a file while no other window of Parley does: two windows may share a folder. If no lock can be
 * made, the work runs without one.
 * @param path absolute, links resolved
 */
export async function whileLocked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const release = await locked(path).catch(() => undefined);
  try {
    return await work();
  } finally {
    await release?.();
  }
}

async function locked(path: string): Promise<(() => Promise<void>) | undefined> {
  const folder = nodePath.join(tmpdir(), `parley-locks-${process.getuid?.() ?? ''}`);
  const lock = nodePath.join(folder, createHash('sha256').update(path).digest('hex').slice(0, 32));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      const file = await open(lock, 'wx', 0o600);
      await file.writeFile(String(process.pid)).finally(() => file.close());
      return () => unlink(lock).catch(() => undefined);
    } catch (error) {
      // On Windows, a lock that is being removed at this moment gives another error.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' && !isBusy(error)) throw error;
      if (performance.now() > deadline) return undefined;
      if (await isLeft(lock)) await unlink(lock).catch(() => undefined);
      else await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}

/**
 * True if the host that made a lock has ended. A lock older than any write is abandoned, even if its process id exists
 * again.
 */
async function isLeft(lock: string): Promise<boolean> {
  const madeAt = (await stat(lock).catch(() => undefined))?.mtimeMs;
  if (madeAt !== undefined && Date.now() - madeAt > 2 * PATIENCE_MS) return true;
  const pid = Number(await readFile(lock, 'utf8').catch(() => ''));
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
