import { readdir, realpath } from 'node:fs/promises';
import nodePath from 'node:path';
import type { Logger } from '../../base/log';
import { findGitFolders } from '../../node/gitFolders';
import { readRepositoryText } from '../../node/readRepositoryFile';
import type { GitRepository } from './gitExtension';
import type { Worktree } from './worktree';

/** A worktree that was about to be made: its folder is known once it is there. */
export type PlannedWorktree = Pick<Worktree, 'repository' | 'branch' | 'base'>;

/**
 * The worktree that Git made for a branch, as the repository's own files name it (gitrepository-layout).
 * @returns its folder, absolute; undefined if there is none
 */
export async function worktreeOfBranch(
  { repository, branch }: PlannedWorktree,
  log: Pick<Logger, 'warn'>,
): Promise<string | undefined> {
  const common = (await findGitFolders(repository, log))?.common;
  if (common === undefined) return undefined;
  const folder = nodePath.join(common, 'worktrees');
  for (const name of await readdir(folder).catch(() => [])) {
    const read = async (file: string) =>
      (await readRepositoryText(common, nodePath.join(folder, name, file), log))?.trim();
    if ((await read('HEAD')) !== `ref: refs/heads/${branch}`) continue;
    const path = await read('gitdir');
    // Newer versions of Git may name it from here.
    if (path) return realpath(nodePath.resolve(folder, name, nodePath.dirname(path))).catch(() => undefined);
  }
  return undefined;
}

/** Removes what is left of a worktree that could not be made, such as after a hook that failed, and its branch. */
export async function removeUnfinished(
  planned: PlannedWorktree,
  repository: GitRepository,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  try {
    const path = await worktreeOfBranch(planned, log);
    if (path !== undefined) await repository.deleteWorktree?.(path, { force: true });
    // Git creates the branch first.
    const made = await repository.getBranch(planned.branch).catch(() => undefined);
    if (made?.commit === planned.base) await repository.deleteBranch(planned.branch, true);
  } catch (error) {
    log.warn(`The rest of the worktree ${planned.branch} could not be removed: ${String(error)}`);
  }
}
