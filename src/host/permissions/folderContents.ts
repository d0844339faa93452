import { readdir, realpath } from 'node:fs/promises';
import nodePath from 'node:path';
import type { Clock } from '../../base/scheduler';
import type { FolderContents } from '../../permission/assess';
import { isWithin } from '../../node/isWithin';
import { checkPath, isShare, relativeTo } from '../files/pathPolicy';

/** More than this for one request, or what takes longer (ms), is not looked through. */
const maxEntries = 20_000;
const maxMs = 400;
const maxLinks = 300;

/** Looks into folders for one request: each once, and all of them together no further than one that is large. */
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
 * What lies in a folder, named from the folder of the session; for one around it, what lies in that. Links are not
 * followed: to delete or move a folder touches them alone. Installed packages come last, and their files guard nothing.
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
      // By the name under which it was asked for as well, where a link led here.
      if (inside && real !== path) names.push(relativeTo(nodePath.join(path, nodePath.relative(real, full)), roots));
      if (guarded === undefined && !/(^|\/)node_modules\//.test(name) && isGuarded(name)) guarded = name;
      // One that leads nowhere may lead anywhere by then, and so may those that are too many to be looked at.
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
