import { realpath, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { asObject, stringOf } from '../../base/decode';
import type { Logger } from '../../base/log';
import { isWithin } from '../../node/isWithin';
import type { GitRepository } from './gitExtension';
import { whenIncluded } from './includedFiles';
import { type PlannedWorktree, removeUnfinished } from './unfinishedWorktree';
import type { Worktree } from './worktree';

/** A worktree, and the folder in it that corresponds to the workspace's. */
export interface Made {
  readonly worktree: Worktree;
  readonly cwd: string;
}

/** No worktree could be made. The message says why, in words for the user. */
export class NoWorktree extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoWorktree';
  }
}

/** What `makeWorktree` tells while it works. */
export interface MakingWorktree {
  /** Git is about to make it. Resolves when that is noted, so that it is found after a crash. */
  readonly begins: (planned: PlannedWorktree) => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Has the Git extension make a worktree, with a branch of its own at the current commit. `git.branchPrefix` and
 * `git.worktreeIncludeFiles` apply, and the files are there.
 * @param folder of the workspace, in the repository @param words the branch is named after them
 * @throws NoWorktree; nothing that this call made is left then
 */
export async function makeWorktree(
  repository: GitRepository | undefined,
  folder: string,
  words: string,
  { begins, log }: MakingWorktree,
): Promise<Made> {
  if (!repository?.createWorktree || repository.state.HEAD?.commit === undefined)
    throw new NoWorktree(l10n.t('The Git extension has no repository with a commit for this folder.'));
  const root = await realpath(repository.rootUri.fsPath);
  const prefix = vscode.workspace.getConfiguration('git', repository.rootUri).get<string>('branchPrefix') ?? '';
  // The state follows a commit only after a while.
  const [{ hash: base }, taken] = await Promise.all([
    repository.getCommit('HEAD'),
    repository.getBranches({ remote: false }),
  ]).catch((error: unknown) => {
    throw new NoWorktree(whyOf(error));
  });
  const branch = branchName(
    words,
    prefix,
    taken.flatMap(({ name }) => name ?? []),
  );
  const planned = { repository: root, branch, base };
  await begins(planned);
  try {
    const path = await realpath(await repository.createWorktree({ branch, commitish: base }));
    await whenIncluded(repository, path).catch(() => undefined);
    const real = await realpath(folder);
    const inner = isWithin(real, root) ? nodePath.join(path, nodePath.relative(root, real)) : path;
    const isFolder = await stat(inner).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return { worktree: { ...planned, path }, cwd: isFolder ? inner : path };
  } catch (error) {
    const why = whyOf(error);
    // Another window may just have made one with this branch. The Git extension has Git speak English.
    if (!/\balready\b|cannot lock ref/.test(why)) await removeUnfinished(planned, repository, log);
    throw new NoWorktree(why);
  }
}

/** What Git printed says more than the message of the Git extension. */
export function whyOf(error: unknown): string {
  const printed = stringOf(asObject(error)['stderr'])?.trim();
  return printed || messageOf(error);
}

/** Longer names are cut at a word. Characters. */
const maxBranchLength = 40;

/**
 * A name for a branch, from the words of a prompt: letters and digits in small letters, joined by hyphens.
 * @param taken names of branches
 */
export function branchName(words: string, prefix: string, taken: readonly string[]): string {
  const parts = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  let name = '';
  for (const part of parts) {
    if (name !== '' && name.length + part.length >= maxBranchLength) break;
    name = name === '' ? part.slice(0, maxBranchLength) : `${name}-${part}`;
  }
  // Git takes `head` for HEAD where file names ignore case.
  if (name === '' || name === 'head') name = 'session';
  // Two names that differ only in case are one file there, too. A branch `a` and one `a/b` exclude each other.
  const known = taken.map((other) => other.toLowerCase());
  const isTaken = (candidate: string) =>
    known.some((other) => other === candidate.toLowerCase() || other.startsWith(`${candidate.toLowerCase()}/`));
  for (let n = 1; ; n++) {
    const candidate = `${prefix}${name}${n === 1 ? '' : `-${n}`}`;
    if (!isTaken(candidate)) return candidate;
  }
}
