import nodePath from 'node:path';
import { isAbsolutePath } from '../files/pathPolicy';

/**
 * The folders of a session beside its `cwd`, as `additionalDirectories` wants them (item 67): absolute, the complete
 * list, each once. What an agent told of the session in a list plays no part in it (item 69).
 * @param roots folders that the agent may work in; `cwd` may be among them.
 */
export function additionalDirectories(roots: readonly string[], cwd: string): readonly string[] {
  const normal = (folder: string) => nodePath.resolve(folder);
  const unique = new Set(roots.filter((folder) => isAbsolutePath(folder)).map(normal));
  unique.delete(normal(cwd));
  return [...unique];
}

/**
 * Where a session works, and which folders are in its reach.
 * @param configured the folder that the agent's configuration fixes
 * @param folders of the workspace, on disk
 * @param off those that the user took out of reach; the one that is the `cwd` stays
 * @param scratch where a session works when no folder is open
 */
export function sessionRoots(
  configured: string | undefined,
  folders: readonly string[],
  off: readonly string[],
  scratch: string,
): { readonly cwd: string; readonly roots: readonly string[] } {
  const cwd = configured ?? folders[0] ?? scratch;
  return { cwd, roots: [...new Set([cwd, ...folders.filter((folder) => !off.includes(folder))])] };
}
