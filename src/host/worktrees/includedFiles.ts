import { stat } from 'node:fs/promises';
import nodePath from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { GitRepository } from './gitExtension';
import { listedIn, uncommittedIn } from './uncommitted';

/** So many files are waited for. Of more, such as those of `node_modules`, it is the first ones. */
const MAX_FILES = 5_000;
const POLL_MS = 100;
/** If nothing arrives for so long, the copy has failed, and the Git extension says so. */
const STALLED_MS = 10_000;

/**
 * Waits until a new worktree has the files that `git.worktreeIncludeFiles` names. The Git extension copies those of them
 * that Git ignores, and does not wait for it.
 * @param path the worktree, absolute
 */
export async function whenIncluded(repository: GitRepository, path: string): Promise<void> {
  const { rootUri } = repository;
  const globs = vscode.workspace.getConfiguration('git', rootUri).get<unknown>('worktreeIncludeFiles');
  if (!Array.isArray(globs)) return;
  const found = await Promise.all(
    globs
      .filter((glob) => typeof glob === 'string')
      .map((glob) => vscode.workspace.findFiles(new vscode.RelativePattern(rootUri, glob), null, MAX_FILES)),
  );
  const there = (file: string) => nodePath.join(path, nodePath.relative(rootUri.fsPath, file));
  let missing = [...new Set(found.flat().map(({ fsPath }) => fsPath))].slice(0, MAX_FILES);
  let seen = '';
  for (let waited = 0; waited < STALLED_MS; waited += POLL_MS) {
    const sizes = await Promise.all(
      missing.map(async (file) => [await sizeOf(file), await sizeOf(there(file))] as const),
    );
    missing = missing.filter((_, i) => sizes[i]![0] !== undefined && sizes[i]![0] !== sizes[i]![1]);
    if (seen === '') {
      // What Git does not ignore is not copied.
      if (missing.length > 0) await repository.status();
      const changes = missing.length > 0 ? await uncommittedIn(repository).catch(() => listedIn(repository)) : [];
      const uncommitted = new Set(changes.map(({ uri }) => uri.fsPath));
      missing = missing.filter((file) => !uncommitted.has(file));
    }
    if (missing.length === 0) return;
    const now = JSON.stringify([missing.length, sizes]);
    if (now !== seen) waited = 0;
    seen = now;
    await setTimeout(POLL_MS);
  }
}

/** In bytes; undefined if there is no such file. */
async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}
