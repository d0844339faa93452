import { contentsOf, type GitContent } from '../../node/gitContents';
import { pinnedRepository } from '../worktrees/pinnedRepository';

/** The most bytes of all files together. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A file of a commit, or that the commit has none. */
export type CommitContent = Exclude<GitContent, { readonly kind: 'unknown' }>;

/**
 * Reads files of a commit all at once, as they are on disk where nobody changed them.
 * @param folder absolute: the top of a working tree
 * @param paths relative to it, with `/`
 * @returns those that can be read so. Missing: what goes through a filter of the repository, links, very large files.
 */
export async function commitContents(
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
