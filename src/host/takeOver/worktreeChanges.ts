import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import { absent, isSameContent } from '../../changes/content';
import type { LineEdit } from '../../changes/lineDiff';
import { lineEdits } from '../../changes/lineEdits';
import { isWithin } from '../../node/isWithin';
import { contentOf, standingContent } from '../files/readContent';
import { spelled } from '../files/realPath';
import type { ContentInHand } from '../storage/contentInHand';
import { changesIn, type GitRepository } from '../worktrees/gitExtension';
import type { Worktree } from '../worktrees/worktree';
import type { Worktrees } from '../worktrees/worktrees';

/** A file of a worktree that differs from the commit where the worktree and its repository parted. */
export interface WorktreeChange {
  /** Where the file is in the repository's own folder. Absolute, as the review spells it. */
  readonly path: string;
  /** Relative to the repository, with `/`. */
  readonly label: string;
  readonly base: ContentInHand;
  readonly theirs: ContentInHand;
  /** The changes of its lines; empty if the file only changes as a whole. */
  readonly edits: readonly LineEdit[];
}

/** Files that are read at the same time. */
const AT_ONCE = 16;

/**
 * What a worktree changed, committed or not, since it parted from its repository.
 * @returns files by label, and those that cannot be read
 * @throws Error if the Git extension cannot open one of the two
 */
export async function worktreeChanges(
  worktree: Worktree,
  worktrees: Pick<Worktrees, 'open'>,
): Promise<{ readonly changes: readonly WorktreeChange[]; readonly unread: readonly string[] }> {
  const there = await worktrees.open(worktree.path);
  const here = await worktrees.open(worktree.repository);
  if (!there || !here || !isWithin(there.rootUri.fsPath, worktree.path))
    throw new Error(l10n.t('The Git extension cannot open {0}.', worktree.path));
  await Promise.all([there.status(), here.status()]);
  const [ours, others] = [here.state.HEAD?.commit, there.state.HEAD?.commit];
  const parted =
    ours === undefined || others === undefined
      ? undefined
      : await here.getMergeBase(ours, others).catch(() => undefined);
  const base = parted ?? worktree.base;
  const paths = await changedPaths(there, base);
  const changes: WorktreeChange[] = [];
  const unread: string[] = [];
  for (let at = 0; at < paths.length; at += AT_ONCE)
    await Promise.all(
      paths.slice(at, at + AT_ONCE).map(async (path) => {
        const relative = nodePath.relative(worktree.path, path);
        const label = relative.split(nodePath.sep).join('/');
        try {
          const change = await changeOf(there, base, path, nodePath.join(worktree.repository, relative), label);
          if (change) changes.push(change);
        } catch {
          unread.push(label);
        }
      }),
    );
  return { changes: changes.toSorted((a, b) => (a.label < b.label ? -1 : 1)), unread: unread.toSorted() };
}

/** All files that may differ: a rename is two of them. */
async function changedPaths(repository: GitRepository, base: string): Promise<readonly string[]> {
  const tracked = await repository.diffWith(base);
  const paths = [...tracked, ...changesIn(repository)].flatMap(({ uri, originalUri = uri }) => [
    uri.fsPath,
    originalUri.fsPath,
  ]);
  return [...new Set(paths)].filter((path) => isWithin(path, repository.rootUri.fsPath)).toSorted();
}

async function changeOf(
  repository: GitRepository,
  commit: string,
  path: string,
  target: string,
  label: string,
): Promise<WorktreeChange | undefined> {
  const [bytes, theirs] = await Promise.all([
    repository.buffer(commit, path).catch(() => undefined),
    standingContent(await spelled(path)),
  ]);
  const base = bytes === undefined ? absent : await contentOf(path, bytes, undefined);
  if (isSameContent(base, theirs)) return undefined;
  const edits = base.kind === 'text' && theirs.kind === 'text' ? lineEdits(base.text, theirs.text) : [];
  return { path: await spelled(target), label, base, theirs, edits };
}
