import { lstat, readlink } from 'node:fs/promises';
import nodePath from 'node:path';
import { checkPath } from './pathPolicy';

/** More links than these on one way are a circle. */
const MAX_LINKS = 40;

/**
 * Sees to it that Undo and Restore write where the change was made. A link that leads out of the folders is followed only
 * if it is older than the session: an agent that may not write elsewhere could have put a newer one there, to have us do it.
 * @param path absolute; need not exist. @param since when the session began, epoch ms; undefined where that is not known.
 * @throws Error in words for the person.
 */
export async function refuseNewLink(path: string, roots: readonly string[], since: number | undefined): Promise<void> {
  const { path: normal, real, inside } = await checkPath(path, roots);
  if (inside) return;
  const link = await newLinkOn(normal, real, since ?? 0);
  if (link !== undefined) throw new Error(`the link ${link} has been made since the session began and leads out of its folders, to ${real}, so nothing was written there`);
}

/** The first link on the way that is not older; segment by segment. The time that counts is one that no program can set. */
async function newLinkOn(path: string, real: string, since: number): Promise<string | undefined> {
  let { root: at } = nodePath.parse(path);
  let left = namesIn(path);
  let last: string | undefined;
  for (let links = 0; left.length > 0; ) {
    const next = nodePath.join(at, left[0]!);
    left = left.slice(1);
    const stats = await lstat(next).catch(() => undefined);
    if (stats?.isSymbolicLink()) {
      last = next;
      if (stats.ctimeMs >= since || ++links > MAX_LINKS) return next;
      const target = nodePath.resolve(at, await readlink(next));
      at = nodePath.parse(target).root;
      left = [...namesIn(target), ...left];
    } else at = next;
  }
  // Where the system goes another way than this, nothing is certain.
  return process.platform === 'win32' || at === real ? undefined : last;
}

function namesIn(path: string): string[] {
  return path.slice(nodePath.parse(path).root.length).split(nodePath.sep).filter((name) => name !== '');
}
