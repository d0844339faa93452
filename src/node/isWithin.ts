import nodePath from 'node:path';

/** True if `path` is `root` or is in it. Both absolute and normalised. */
export function isWithin(path: string, root: string, platform: NodeJS.Platform = process.platform): boolean {
  const { relative, isAbsolute, sep } = platform === 'win32' ? nodePath.win32 : nodePath.posix;
  // A fast path without `relative`. It must not accept `..`, which could lead out again.
  if (platform !== 'win32' && root.startsWith(sep) && !path.includes('..') && !root.includes('..'))
    return `${path}/`.startsWith(root.endsWith(sep) ? root : root + sep);
  const rest = relative(root, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/**
 * A path in the folder's own spelling; undefined if it is outside. Windows accepts other letters for a folder: agents
 * write `C:`, and VS Code `c:`.
 * @param folders spellings of one folder, its own first. All absolute and normalised.
 */
export function inSpelling(
  path: string,
  folders: readonly [own: string, ...string[]],
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const folder = folders.find((candidate) => isWithin(path, candidate, platform));
  return folder === undefined ? undefined : folders[0] + path.slice(folder.length);
}
