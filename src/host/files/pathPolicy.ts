import { readlink, realpath } from 'node:fs/promises';
import nodePath from 'node:path';
import { foldedName } from '../../base/fileNames';
import { isWithin } from '../../node/isWithin';
import { ProtectedPlaces } from './protectedPlaces';

export interface CheckedPath {
  /** The requested path: normalised, absolute; for messages. Its target may change a moment later. */
  readonly path: string;
  /** The same file with all links resolved: for comparing, and for opening without following links. */
  readonly real: string;
  /** True if the file is in one of the roots, with links resolved, and is not protected. */
  readonly inside: boolean;
  /** True if it belongs to VS Code's settings or Parley's storage: see `ProtectedPlaces`. */
  readonly isProtected: boolean;
}

/** The places of this window's VS Code. No session has them in its folders. */
export const protectedPlaces = new ProtectedPlaces(
  (path) => (process.platform === 'linux' ? asOpened(path) : foldedName(pathKey(asOpened(path)))),
  (path) => resolveLinks(path),
);

/** Absolute on this system, and not something that only looks like a path (`file:` URIs, devices, NUL bytes). */
export function isAbsolutePath(path: string, platform: NodeJS.Platform = process.platform): boolean {
  if (path.includes('\0')) return false;
  if (platform !== 'win32') return path.startsWith('/');
  // `\foo` depends on the current drive; `\\.\` and `\\?\` name devices or switch off all checks of the system.
  return /^[a-z]:[\\/]/i.test(path) || (/^[\\/]{2}[^\\/?.]/.test(path) && nodePath.win32.isAbsolute(path));
}

/**
 * Resolves a path of an agent (items 135, 140). A file need not exist: its nearest existing folder is resolved, so a
 * link on the way cannot lead out of the roots unnoticed.
 * @param path absolute (`isAbsolutePath`).
 */
export async function checkPath(path: string, roots: readonly string[]): Promise<CheckedPath> {
  const normal = nodePath.normalize(path);
  // Accessing a share already sends the user's credentials to its server, so only those of the roots are accessed.
  if (isShare(normal) && !roots.some((root) => isWithin(normal, nodePath.normalize(root))))
    return { path: normal, real: normal, inside: false, isProtected: false };
  const real = await resolveLinks(normal);
  const [realRoots] = await Promise.all([Promise.all(roots.map(realRoot)), protectedPlaces.whenRead()]);
  const isProtected = protectedPlaces.has(normal) || (await protectedPlaces.hasFile(real));
  return { path: normal, real, inside: !isProtected && realRoots.some((root) => isWithin(real, root)), isProtected };
}

/**
 * The target of a workspace or session folder when it was first used. An agent could replace a nested one by a link,
 * and so gain access to the rest of the disk.
 */
export async function realRoot(folder: string): Promise<string> {
  const path = nodePath.normalize(folder);
  let known = realRoots.get(path);
  if (!known) realRoots.set(path, (known = resolveLinks(path)));
  return known;
}

const realRoots = new Map<string, Promise<string>>();

/**
 * Resolves each `..` of a path on the disk: behind a link, the parent is that of its target.
 * @param path absolute (`isAbsolutePath`). Windows resolves `..` in the text before it follows any link.
 */
export async function withoutDots(path: string): Promise<string> {
  if (process.platform === 'win32' || !path.split('/').includes('..')) return nodePath.normalize(path);
  let at = '/';
  for (const name of path.split('/'))
    at = name === '..' ? nodePath.dirname(await resolveLinks(at)) : nodePath.join(at, name);
  return at;
}

/**
 * The name under which a system opens a file. Windows drops dots and blanks at its end, and a stream (`a::$DATA`);
 * macOS shows its data volume in a second place.
 */
export function asOpened(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return path.replace(/^\/System\/Volumes\/Data(?=\/)/i, '');
  return platform === 'win32'
    ? path.replaceAll(/(?<!^[a-z]):[^\\/]*/gi, '').replaceAll(/(?<=[^\\/. ])[. ]+(?=[\\/]|$)/g, '')
    : path;
}

/** Resolves links for a file that need not exist. */
async function resolveLinks(path: string, depth = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = nodePath.dirname(path);
    if (parent === path || depth > 255) return path;
    const target = await danglingTarget(path);
    if (target !== undefined && depth < 40) return resolveLinks(target, depth + 1);
    return nodePath.join(await resolveLinks(parent, depth + 1), nodePath.basename(path));
  }
}

/** The target of a link that does not exist yet: a write to the link would create it. */
async function danglingTarget(path: string): Promise<string | undefined> {
  try {
    return nodePath.resolve(await resolveLinks(nodePath.dirname(path)), await readlink(path));
  } catch {
    return undefined;
  }
}

/**
 * Equal for all spellings of a path. Case matters on Linux only; macOS also accepts an accent as part of its letter or
 * as a separate character, and Windows both slashes.
 */
export function pathKey(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return path.normalize('NFC').toLowerCase();
  return platform === 'win32' ? path.replaceAll('/', '\\').toLowerCase() : path;
}

/** macOS stores an accent with its letter or apart, and VS Code names all files in the first way. */
export function inEditor(path: string): string {
  return process.platform === 'darwin' ? path.normalize('NFC') : path;
}

/** True if two names that differ in case only are one file, as far as the system alone tells. */
export function ignoresCase(): boolean {
  return pathKey('A') === 'a';
}

/** The path relative to its root, with `/`; the path itself if it is in none. */
export function relativeTo(path: string, roots: readonly string[]): string {
  const root = roots.map((folder) => nodePath.normalize(folder)).find((folder) => isWithin(path, folder));
  return root === undefined ? path : nodePath.relative(root, path).replaceAll('\\', '/') || '.';
}

export function isShare(path: string): boolean {
  return process.platform === 'win32' && path.startsWith('\\\\');
}
