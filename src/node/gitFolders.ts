import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { Logger } from '../base/log';
import { readRepositoryFile, readRepositoryText } from './readRepositoryFile';

/** The list of refs of a repository with a million branches has about this size. Bytes. */
const MAX_PACKED_REFS = 64 * 1024 * 1024;
/** The most steps of symbolic refs. */
const MAX_REFS = 5;

/** The folders of a repository, found without git. All absolute, links resolved. */
export interface GitFolders {
  /** The folder of the working tree. */
  readonly top: string;
  /** The folder of this working tree's own files: HEAD and index. */
  readonly own: string;
  /** The folder that all working trees share: objects, refs, configuration. */
  readonly common: string;
}

/**
 * The state of HEAD. `branch` without `refs/heads/`; absent if HEAD is detached. `commit` is absent before the first
 * one.
 */
export interface GitHead {
  readonly branch?: string;
  readonly commit?: string;
}

type Log = Pick<Logger, 'warn'>;

/** The repository around a folder; also for a linked working tree and a submodule (gitrepository-layout). */
export async function findGitFolders(folder: string, log: Log): Promise<GitFolders | undefined> {
  for (let top = await realpath(folder).catch(() => folder); ; top = nodePath.dirname(top)) {
    const own = await gitFolderIn(top, log);
    if (own !== undefined) {
      const common = await commonFolder(own, log);
      return common === undefined ? undefined : { top, own, common };
    }
    if (nodePath.dirname(top) === top) return undefined;
  }
}

async function commonFolder(own: string, log: Log): Promise<string | undefined> {
  const shared = (await readRepositoryText(own, nodePath.join(own, 'commondir'), log))?.trim();
  return shared === undefined || shared === '' ? own : namedFolder(own, shared);
}

/** True if a folder is the top of a working tree, and its ignore rules besides `.gitignore` files. */
export async function repositoryAt(
  folder: string,
  log: Log,
): Promise<{ readonly exclude: string | undefined } | undefined> {
  const own = await gitFolderIn(folder, log);
  if (own === undefined) return undefined;
  const common = await commonFolder(own, log);
  return {
    exclude:
      common === undefined ? undefined : await readRepositoryText(common, nodePath.join(common, 'info/exclude'), log),
  };
}

/** Limits of a search: number of folders, and depth. */
const MAX_FOLDERS = 2_000;
const MAX_DEPTH = 5;

/** The nearest repositories below a folder that is in none. @param isLeftOut folders that are not searched. */
export async function repositoriesBelow(
  folder: string,
  isLeftOut: (folder: string) => Promise<boolean>,
): Promise<string[]> {
  const found: string[] = [];
  const open = [{ path: folder, depth: 0 }];
  for (let seen = 0; seen < open.length && seen < MAX_FOLDERS; seen++) {
    const { path, depth } = open[seen]!;
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    if (depth > 0 && entries.some(({ name }) => name === '.git')) found.push(path);
    else if (depth < MAX_DEPTH)
      for (const entry of entries) {
        const inner = nodePath.join(path, entry.name);
        if (entry.isDirectory() && !(await isLeftOut(inner))) open.push({ path: inner, depth: depth + 1 });
      }
  }
  return found;
}

async function gitFolderIn(top: string, log: Log): Promise<string | undefined> {
  const entry = nodePath.join(top, '.git');
  const found = await stat(entry).catch(() => undefined);
  if (!found) return undefined;
  if (found.isDirectory()) return (await isThere(nodePath.join(entry, 'HEAD'))) ? realpath(entry) : undefined;
  if (!found.isFile()) return undefined;
  const [, named] = /^gitdir: (.+?)[\r\n]*$/.exec((await readRepositoryText(top, entry, log)) ?? '') ?? [];
  return named === undefined ? undefined : namedFolder(top, named);
}

/**
 * A folder that a repository names, links resolved.
 * @returns undefined if it is missing, and for a share: only looking at one sends the user's credentials to its server.
 */
export async function namedFolder(
  from: string,
  named: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  return platform === 'win32' && /^[\\/]{2}/.test(named)
    ? undefined
    : realpath(nodePath.resolve(from, named)).catch(() => undefined);
}

/** @returns undefined if HEAD is stored in an unknown way. */
export async function readGitHead({ own, common }: GitFolders, log: Log): Promise<GitHead | undefined> {
  let text = await readRepositoryText(own, nodePath.join(own, 'HEAD'), log);
  let branch: { readonly branch?: string } = {};
  for (let i = 0; i < MAX_REFS && text !== undefined; i++) {
    const [, commit, ref] = /^(?:([0-9a-f]{40}|[0-9a-f]{64})|ref: (refs\/[^\s]+))\s*$/.exec(text) ?? [];
    if (commit !== undefined) return { ...branch, commit };
    if (ref === undefined || ref.split('/').includes('..')) return undefined;
    if (i === 0) branch = { branch: ref.replace(/^refs\/heads\//, '') };
    // The reftable format has no files for its refs.
    if (await isThere(nodePath.join(common, 'reftable'))) return undefined;
    text = (await readRepositoryText(common, nodePath.join(common, ref), log)) ?? (await packedRef(common, ref, log));
    if (text === undefined) return branch;
  }
  return undefined;
}

/** The commit of a ref in the list of packed refs. @param common the repository's shared folder */
export async function packedRef(common: string, ref: string, log: Log): Promise<string | undefined> {
  const packed = await readRepositoryFile(common, nodePath.join(common, 'packed-refs'), MAX_PACKED_REFS, log);
  const at = packed?.indexOf(` ${ref}\n`) ?? -1;
  return at < 0 ? undefined : packed!.toString('latin1', packed!.lastIndexOf(10, at) + 1, at);
}

/** The parts of a split index, absolute. */
export async function sharedIndexes({ own }: GitFolders): Promise<string[]> {
  const names = await readdir(own).catch(() => []);
  return names.filter((name) => /^sharedindex\.[0-9a-f]+$/.test(name)).map((name) => nodePath.join(own, name));
}

/** True if git has an index that it can read without blocking; there is none before the first `git add`. */
export async function hasPlainIndex({ own }: GitFolders): Promise<boolean> {
  const found = await lstat(nodePath.join(own, 'index')).catch(() => undefined);
  return found === undefined || found.isFile();
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
