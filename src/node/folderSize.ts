import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import nodePath from 'node:path';

/** Files and folders that are counted at most. */
const MAX_ENTRIES = 200_000;
/** Files that are looked at together. */
const AT_ONCE = 64;

export interface FolderSize {
  /** On disk: what the file system has set aside. */
  readonly bytes: number;
  /** Not everything was counted. */
  readonly isMore: boolean;
}

/**
 * The size of a folder with all that is in it. Links are not followed, and a file with several names counts once. What
 * cannot be read counts nothing.
 * @param goesOn asked between files; false: stop here
 */
export async function folderSize(path: string, goesOn: () => boolean, most = MAX_ENTRIES): Promise<FolderSize> {
  const folders = [path];
  const linked = new Set<string>();
  let [bytes, entries] = [0, 0];
  const add = async (file: string) => {
    const found = await lstat(file, { bigint: true }).catch(() => undefined);
    if (!found) return;
    if (found.nlink > 1n) {
      const id = `${found.dev}:${found.ino}`;
      if (linked.has(id)) return;
      linked.add(id);
    }
    bytes += Number(found.blocks) * 512;
  };
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let waiting: string[] = [];
    for await (const entry of entriesOf(folder)) {
      if (entries++ === most || !goesOn()) return { bytes, isMore: true };
      const inner = nodePath.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(inner);
      else waiting.push(inner);
      if (waiting.length < AT_ONCE) continue;
      await Promise.all(waiting.map(add));
      waiting = [];
    }
    await Promise.all(waiting.map(add));
  }
  return { bytes, isMore: false };
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    for await (const entry of await opendir(folder)) yield entry;
  } catch {
    // Gone or not readable.
  }
}
