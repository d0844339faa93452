import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isWithin } from './isWithin';

/**
 * Lists of folders from which a program or the system's loader loads code by name. In each, an empty item means the
 * current folder.
 */
const folderLists =
  /^(PATH|NODE_PATH|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|DYLD_FALLBACK_LIBRARY_PATH|PYTHONPATH|UV_PYTHON_SEARCH_PATH)$/i;

/**
 * The real paths of folders with other people's files: those of the workspace and of the session. A folder that
 * contains the user's home is left out: it is not a cloned repository, and the user's own programs are in it.
 * @param folders absolute @param home absolute
 */
export async function foldersToAvoid(folders: readonly string[], home: string): Promise<string[]> {
  const realHome = await realPathOf(home);
  const real = await Promise.all(folders.map(realPathOf));
  return [...new Set(real)].filter((folder) => !isWithin(realHome, folder));
}

/** The folders of a list such as PATH that are absolute and, with links resolved, in none of `avoid`. */
export async function trustedFolders(
  list: string | undefined,
  avoid: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<string[]> {
  const folders = (list ?? '').split(platform === 'win32' ? ';' : ':').filter((folder) => path.isAbsolute(folder));
  const real = await Promise.all(folders.map(realPathOf));
  return folders.filter(
    (folder, index) => !avoid.some((item) => isWithin(real[index]!, item) || isWithin(path.resolve(folder), item)),
  );
}

/**
 * The environment of a process that Parley starts: its lists of folders have only those that `trustedFolders` accepts,
 * so that `#!/usr/bin/env node` cannot find a repository's `node`. Windows would also look in the current folder; a
 * variable forbids that.
 */
export async function trustedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  avoid: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<Record<string, string | undefined>> {
  const entries = await Promise.all(
    Object.entries(env).map(async ([name, value]): Promise<[string, string | undefined]> => {
      if (value === undefined || !folderLists.test(name)) return [name, value];
      // An empty list would mean the current folder, so remove the variable.
      return [name, (await trustedFolders(value, avoid, platform)).join(platform === 'win32' ? ';' : ':') || undefined];
    }),
  );
  return {
    ...Object.fromEntries(entries),
    ...(platform === 'win32' ? { NoDefaultCurrentDirectoryInExePath: '1' } : {}),
  };
}

/** The path with all links resolved, even if its last parts do not exist yet. */
export async function realPathOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(await realPathOf(parent), path.basename(file));
  }
}
