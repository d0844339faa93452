import { stat } from 'node:fs/promises';
import { inWorktree, type Worktree } from './worktree';

/**
 * The file of a worktree that the user means with a file of the repository. One that the worktree has not, such as an
 * ignored one, stays what it is. All absolute.
 */
export async function fileInWorktree(path: string, worktree: Worktree): Promise<string> {
  const there = inWorktree(path, worktree);
  if (there === path) return path;
  return stat(there).then(
    () => there,
    () => path,
  );
}
