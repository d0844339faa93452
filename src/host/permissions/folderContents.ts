import { readdir, realpath } from 'node:fs/promises';
import nodePath from 'node:path';
import type { Clock } from '../../base/scheduler';
import type { FolderContents } from '../../permission/assess';
import { isWithin } from '../../node/isWithin';
import { checkPath, isShare, relativeTo } from '../files/pathPolicy';

/** Limits of listing for one request: entries, and time in ms. */
const maxEntries = 20_000;
const maxMs = 400;
const maxLinks = 300;

/** Lists folders for one request: each once, and all of them together within the limits of one. */
export function folderReader(
  roots: readonly string[],
  realRoots: readonly string[],
  isGuarded: (name: string) => boolean,
  clock: Pick<Clock, 'now'>,
): (path: string) => Promise<FolderContents | undefined> {
  const known = new Map<string, Promise<FolderContents | undefined>>();
  const budget = { entries: maxEntries };
  return (path) => {
    const contents = known.get(path) ?? folderContents(path, roots, realRoots, isGuarded, clock, budget);
    known.set(path, contents);
    return contents;
  };
}

/**
 * The contents of a folder, relative to the session's folder; for a folder around that, the session's contents. Links
 * are not followed, since deleting or moving a folder affects only the links. Installed packages come last, and their
 * files are not protected.
 * @param path absolute, without `..`.
 */
export async function folderContents(
  path: string,
  roots: readonly string[],
  realRoots: readonly string[],
  isGuarded: (name: string) => boolean,
  clock: Pick<Clock, 'now'>,
  budget = { entries: maxEntries },
): Promise<FolderContents | undefined> {
  const { real, inside } = await checkPath(path, roots);
  if (!inside && isShare(path)) return undefined;
  const starts = inside ? [real] : realRoots.filter((root) => isWithin(root, real));
  const names: string[] = [];
  const until = clock.now() + maxMs;
  let isFolder = false;
  let guarded: string | undefined;
  let leadsOut: string | undefined;
  let links = 0;
  const result = () => ({
    names,
    ...(guarded === undefined ? {} : { guarded }),
    ...(leadsOut === undefined ? {} : { leadsOut }),
  });
  const waiting = [...starts];
  const packages: string[] = [];
  for (
    let folder = waiting.shift() ?? packages.shift();
    folder !== undefined;
    folder = waiting.shift() ?? packages.shift()
  ) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (!entries) continue;
    isFolder = true;
    for (const entry of entries) {
      const full = nodePath.join(folder, entry.name);
      const name = relativeTo(full, realRoots);
      names.push(name);
      // Also add the name that was asked for, if a link led here.
      if (inside && real !== path) names.push(relativeTo(nodePath.join(path, nodePath.relative(real, full)), roots));
      if (guarded === undefined && !/(^|\/)node_modules\//.test(name) && isGuarded(name)) guarded = name;
      // A dangling link may have any target later, and so may links beyond the limit.
      if (entry.isSymbolicLink() && leadsOut === undefined && !folder.includes(`${nodePath.sep}node_modules`)) {
        const target = ++links > maxLinks ? undefined : await realpath(full).catch(() => undefined);
        if (target === undefined || !realRoots.some((root) => isWithin(target, root))) leadsOut = name;
      }
      if (entry.isDirectory()) (entry.name === 'node_modules' || entry.name === '.git' ? packages : waiting).push(full);
    }
    budget.entries -= entries.length;
    if (budget.entries < 0 || clock.now() > until)
      return {
        ...result(),
        complete: waiting.length + packages.length === 0,
        guardsComplete: waiting.every((more) => /[\\/]node_modules([\\/]|$)/.test(more)),
      };
  }
  return isFolder ? { ...result(), complete: true, guardsComplete: true } : undefined;
}
