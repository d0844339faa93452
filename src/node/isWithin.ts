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
