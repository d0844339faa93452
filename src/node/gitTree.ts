import type { RunGit } from './pinnedGit';

/** Characters of paths that fit into one command line on any system. */
const MAX_ARGUMENTS = 20_000;

/** A file of a commit. */
export interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
}

/**
 * The entries of a commit at some paths; missing paths are not in the commit.
 * @throws ProgramError if a part of the commit is missing.
 */
export async function entriesOf(
  run: RunGit,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeEntry>> {
  const found = new Map<string, TreeEntry>();
  for (const part of inParts(paths))
    for (const [path, entry] of parseTree(await run(['ls-tree', '-z', '--full-tree', commit, '--', ...part])))
      found.set(path, entry);
  return found;
}

/** The sizes of files when git last found them clean, if the index has them. Bytes. */
export async function cleanSizesOf(run: RunGit, paths: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const part of inParts(paths)) {
    const told = (await run(['ls-files', '-z', '--debug', '--', ...part])).toString('utf8');
    for (const [, path, size] of told.matchAll(/([^\0\n]*)\0(?: {2}.*\n)*? {2}size: (\d+)\t/g))
      found.set(path!, Number(size));
  }
  return found;
}

function inParts(paths: readonly string[]): string[][] {
  const parts: string[][] = [];
  let length = MAX_ARGUMENTS;
  for (const path of paths) {
    length += path.length;
    if (length > MAX_ARGUMENTS) {
      parts.push([]);
      length = path.length;
    }
    parts.at(-1)!.push(path);
  }
  return parts;
}

/** Reads `git ls-tree -z`: mode and object by path. */
function parseTree(output: Buffer): (readonly [string, TreeEntry])[] {
  return output
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t([^]+)$/.exec(line) ?? [];
      return mode === undefined ? [] : [[path!, { mode, oid: oid! }] as const];
    });
}
