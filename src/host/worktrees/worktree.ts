import nodePath from 'node:path';
import { asObject, numberOf, stringOf } from '../../base/decode';
import { isWithin } from '../../node/isWithin';

/** A worktree of a session. Folders are absolute, links resolved. */
export interface Worktree {
  readonly path: string;
  /** The root of the working tree that it was made from. */
  readonly repository: string;
  readonly branch: string;
  /** The commit that it began with. */
  readonly base: string;
  /** For servers that commands start in it. */
  readonly port?: number;
}

/** Stored values may be of another version, or damaged. */
export function decodeWorktree(raw: unknown): Worktree | undefined {
  const value = asObject(raw);
  const [path, repository, branch, base] = ['path', 'repository', 'branch', 'base'].map((key) => stringOf(value[key]));
  if (path === undefined || repository === undefined || branch === undefined || base === undefined) return undefined;
  if (!nodePath.isAbsolute(path) || !nodePath.isAbsolute(repository)) return undefined;
  const port = numberOf(value['port']);
  return { path, repository, branch, base, ...(port === undefined ? {} : { port }) };
}

/** The place in a worktree of a file of the repository; the path itself if it is in neither. All absolute. */
export function inWorktree(path: string, { path: root, repository }: Worktree): string {
  if (isWithin(path, root) || !isWithin(path, repository)) return path;
  return nodePath.join(root, nodePath.relative(repository, path));
}

/**
 * The folders that a session in a worktree may use: its own, and those of `roots` outside of the repository. With the
 * repository's own folder, the agent could change the files that the user sees.
 */
export function rootsIn(worktree: Worktree, cwd: string, roots: readonly string[]): readonly string[] {
  return [...new Set([cwd, ...roots.filter((root) => !isWithin(root, worktree.repository))])];
}

/** Variables for commands in a worktree: a port that no other worktree gets. */
export function portOf(worktree: Worktree | undefined): Record<string, string> {
  return worktree?.port === undefined ? {} : { PARLEY_PORT: String(worktree.port) };
}
