import { lstat, opendir } from 'node:fs/promises';
import nodePath from 'node:path';
import { inGroups } from './inGroups';

/** So many files of one folder are one question: each question wakes a thread, which costs more than the answer. */
const TOGETHER = 8;
/** A folder with more entries is not listed for that. */
const MAX_ENTRIES = 2_000;
const LOOK_AT_ONCE = 64;

/** Those of the paths at which there is nothing. What cannot be found out counts as there. @param paths absolute */
export async function missingOf(paths: readonly string[]): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  const alone: string[] = [];
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const folder = nodePath.dirname(path);
    const files = folders.get(folder);
    if (files) files.push(path);
    else folders.set(folder, [path]);
  }
  await Promise.all(
    [...folders].map(async ([folder, files]) => {
      const names = files.length < TOGETHER ? undefined : await namesIn(folder);
      for (const path of files) {
        const name = nodePath.basename(path);
        if (names && isPlain(name) && !names.has(name.toLowerCase())) missing.add(path);
        else alone.push(path);
      }
    }),
  );
  await inGroups(alone, async (path) => void ((await isMissing(path)) && missing.add(path)), LOOK_AT_ONCE);
  return missing;
}

async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(() => false, isGone);
}

function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The names in a folder in small letters; undefined where they do not tell which files are there. */
async function namesIn(folder: string): Promise<ReadonlySet<string> | undefined> {
  const names = new Set<string>();
  try {
    for await (const { name } of await opendir(folder, { bufferSize: MAX_ENTRIES })) {
      if (!isPlain(name) || names.size >= MAX_ENTRIES) return undefined;
      names.add(name.toLowerCase());
    }
    return names;
  } catch (error) {
    return isGone(error as NodeJS.ErrnoException) ? names : undefined;
  }
}

/** A name that no system takes for another one, except for its case. */
function isPlain(name: string): boolean {
  return /^[\x20-\x7d]*[\x21-\x2d\x2f-\x7d]$/.test(name);
}
