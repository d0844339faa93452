import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import { absent, isSameContent, isSameMode, withProgram } from '../../changes/content';
import type { LineEdit } from '../../changes/lineDiff';
import { lineEdits } from '../../changes/lineEdits';
import { contentsOf, type GitContent } from '../../node/gitContents';
import { isWithin } from '../../node/isWithin';
import { contentOf, lookNow, standingContent } from '../files/readContent';
import { realOf, spelled } from '../files/realPath';
import type { ContentInHand } from '../storage/contentInHand';
import type { GitRepository } from '../worktrees/gitExtension';
import { pinnedRepository } from '../worktrees/pinnedRepository';
import { uncommittedIn } from '../worktrees/uncommitted';
import type { Worktree } from '../worktrees/worktree';
import type { Worktrees } from '../worktrees/worktrees';

/** A file of a worktree that differs from the commit where the worktree and its repository parted. */
export interface WorktreeChange {
  /** Where the file is in the repository's own folder. Absolute, as the review spells it. */
  readonly path: string;
  /** Where the other one is, spelled like that. */
  readonly source: string;
  /** Relative to the repository, with `/`. */
  readonly label: string;
  readonly base: ContentInHand;
  readonly theirs: ContentInHand;
  /** The changes of its lines; empty if only the file as a whole changes, or its execute permission. */
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
  const isOwn = (await realOf(here.rootUri.fsPath)) === worktree.repository;
  // Relative: the Git extension may spell the folder in another way.
  const changedHere = (await changedPaths(here, base)).map((path) => nodePath.relative(here.rootUri.fsPath, path));
  const changedNames = new Set(changedHere.map((path) => path.toLowerCase()));
  const labelOf = (path: string) => nodePath.relative(worktree.path, path).split(nodePath.sep).join('/');
  const known = await commitContents(worktree.path, base, paths.map(labelOf));
  const changes: WorktreeChange[] = [];
  const unread: string[] = [];
  for (let at = 0; at < paths.length; at += AT_ONCE)
    await Promise.all(
      paths.slice(at, at + AT_ONCE).map(async (path) => {
        const relative = nodePath.relative(worktree.path, path);
        const label = labelOf(path);
        try {
          const target = nodePath.join(worktree.repository, relative);
          const isUnchanged = isOwn && !changedNames.has(relative.toLowerCase());
          const content = known.get(label);
          const original = content
            ? await standing(path, content)
            : await asked(there, base, path, isUnchanged ? target : undefined);
          const change = await changeOf(path, target, label, original);
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
  const paths = [...tracked, ...(await uncommittedIn(repository))].flatMap(({ uri, originalUri = uri }) => [
    uri.fsPath,
    originalUri.fsPath,
  ]);
  return [...new Set(paths)].filter((path) => isWithin(path, repository.rootUri.fsPath)).toSorted();
}

/** A content of a commit, as the review has contents. */
async function standing(path: string, content: CommitContent): Promise<ContentInHand> {
  if (content.kind === 'absent') return absent;
  const { bytes, isExecutable } = content;
  return contentOf(path, bytes, isExecutable === undefined ? undefined : withProgram(0o644, isExecutable));
}

/**
 * A file of a commit that cannot be read with the others. Its filters, such as those for large files, make another text
 * of the commit's.
 * @param unchanged where it stands as Git has checked it out
 */
async function asked(
  repository: GitRepository,
  commit: string,
  path: string,
  unchanged: string | undefined,
): Promise<ContentInHand> {
  const bytes = await repository.buffer(commit, path).catch(() => undefined);
  if (bytes === undefined) return absent;
  const { value } = unchanged === undefined ? { value: undefined } : await lookNow(await spelled(unchanged));
  return value?.kind === 'file' && value.content.kind !== 'absent' ? value.content : contentOf(path, bytes, undefined);
}

async function changeOf(
  path: string,
  target: string,
  label: string,
  base: ContentInHand,
): Promise<WorktreeChange | undefined> {
  const source = await spelled(path);
  const theirs = await standingContent(source);
  if (isSameContent(base, theirs) && isSameMode(base, theirs)) return undefined;
  const edits = base.kind === 'text' && theirs.kind === 'text' ? lineEdits(base.text, theirs.text) : [];
  return { path: await spelled(target), source, label, base, theirs, edits };
}

/** The most bytes of all files together. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A file of a commit, or that the commit has none. */
type CommitContent = Exclude<GitContent, { readonly kind: 'unknown' }>;

/**
 * Reads files of a commit all at once, as they are on disk where nobody changed them.
 * @param folder absolute: the top of a working tree
 * @param paths relative to it, with `/`
 * @returns those that can be read so. Missing: what goes through a filter of the repository, links, very large files.
 */
async function commitContents(
  folder: string,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, CommitContent>> {
  const found = new Map<string, CommitContent>();
  if (paths.length === 0) return found;
  try {
    const git = await pinnedRepository(folder);
    await git?.use({ commit }, (run) =>
      contentsOf(run, commit, paths, git, MAX_BYTES, (path, content) => {
        if (content.kind !== 'unknown') found.set(path, content);
      }),
    );
  } catch {
    // Each file can still be asked for by itself.
  }
  return found;
}
