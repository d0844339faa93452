import { stat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import { silentLogger } from '../../base/log';
import { findGitFolders } from '../../node/gitFolders';
import { isWithin } from '../../node/isWithin';
import type { GitRepository } from './gitExtension';
import { whyOf } from './makeWorktree';
import { fileCountOf, uncommittedIn } from './uncommitted';
import type { Worktree } from './worktree';
import type { Worktrees } from './worktrees';

/** What Parley knows of a worktree that Git does not. */
export interface WorktreeUse {
  /** A session works in it now. */
  isBusy(worktree: Worktree): boolean;
  /** Files in it whose changes wait for the user's decision. */
  pending(worktree: Worktree): number;
}

/**
 * Why a worktree cannot be removed, in a sentence: something in it would be lost. Commits are on its branch, which
 * stays; see also `removeWorktree`.
 * @returns undefined if it can be
 */
export async function whyItStays(
  worktree: Worktree,
  worktrees: Worktrees,
  use: WorktreeUse,
): Promise<string | undefined> {
  if (!(await isThere(worktree))) return undefined;
  if (use.isBusy(worktree)) return l10n.t('A session works in it.');
  const pending = use.pending(worktree);
  if (pending > 0)
    return pending === 1
      ? l10n.t('1 file has changes that you have not decided on.')
      : l10n.t('{0} files have changes that you have not decided on.', pending);
  const repository = await opened(worktree, worktrees);
  if (!repository) return cannotOpen();
  await repository.status();
  if (await hasSubmodules(worktree)) return withSubmodules();
  const changes = await uncommittedIn(repository).catch(whyOf);
  if (typeof changes === 'string') return changes;
  const files = fileCountOf(changes);
  if (files === 0) return undefined;
  return files === 1 ? l10n.t('1 file is not committed.') : l10n.t('{0} files are not committed.', files);
}

/**
 * Has the Git extension remove a worktree, also one whose folder is gone already. Its branch stays if it has commits
 * of its own. Ask `whyItStays` first. Commits that are on no branch, because the agent left the worktree's, keep it, and
 * so do initialized submodules. A session may begin to work in it while Git looks: then it stays.
 * @param force with all that is in no commit
 * @returns what became of the branch
 * @throws Error with the reason, in a sentence of Git or of Parley
 */
export async function removeWorktree(
  worktree: Worktree,
  worktrees: Worktrees,
  use: Pick<WorktreeUse, 'isBusy'>,
  force = false,
): Promise<'branchStays' | 'branchGone'> {
  const { path, branch, base } = worktree;
  const wasThere = await isThere(worktree);
  if (wasThere && (await hasLooseCommits(worktree, worktrees)))
    throw new Error(l10n.t('It has commits that are on no branch.'));
  if (wasThere && (await hasSubmodules(worktree))) throw new Error(withSubmodules());
  const repository = await worktrees.open(worktree.repository).catch(() => undefined);
  if (use.isBusy(worktree)) throw new Error(l10n.t('A session works in it.'));
  try {
    if (!repository?.deleteWorktree) throw new Error(l10n.t('The Git extension cannot open {0}.', worktree.repository));
    await repository.deleteWorktree(path, { force });
  } catch (error) {
    // Git may not know a worktree any more that somebody else has removed.
    if (wasThere) throw new Error(whyOf(error), { cause: error });
  }
  // The Git extension asks the user about files that are new since, and they may say no.
  if (await isThere(worktree)) throw new Error(l10n.t('It is still there.'));
  await worktrees.forget(worktree);
  if (!repository) return 'branchStays';
  const commit = await repository.getBranch(branch).then(
    (found) => found.commit,
    () => undefined,
  );
  if (commit !== base) return 'branchStays';
  return repository.deleteBranch(branch).then(
    () => 'branchGone' as const,
    () => 'branchStays' as const,
  );
}

/** @throws Error if Git cannot say it */
async function hasLooseCommits(worktree: Worktree, worktrees: Worktrees): Promise<boolean> {
  const repository = await opened(worktree, worktrees);
  if (!repository) throw new Error(cannotOpen());
  await repository.status();
  const head = repository.state.HEAD;
  return head?.commit !== undefined && head.name === undefined && head.commit !== worktree.base;
}

/** @returns undefined if the Git extension cannot open it */
async function opened({ path }: Worktree, worktrees: Worktrees): Promise<GitRepository | undefined> {
  const repository = await worktrees.open(path);
  return repository && isWithin(repository.rootUri.fsPath, path) ? repository : undefined;
}

function cannotOpen(): string {
  return l10n.t('The Git extension cannot open it.');
}

function withSubmodules(): string {
  return l10n.t('Git does not remove initialized submodules with it. `git worktree remove --force` does.');
}

/** Git has the repositories of its initialized submodules with the worktree, and commits of them may be only there. */
async function hasSubmodules({ path }: Worktree): Promise<boolean> {
  const own = (await findGitFolders(path, silentLogger))?.own;
  return own !== undefined && isThere({ path: nodePath.join(own, 'modules') });
}

/** @returns whether the folder of a worktree exists */
export async function isThere({ path }: Pick<Worktree, 'path'>): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
