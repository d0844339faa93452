import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { GitChange, GitRepository } from './gitExtension';
import { pinnedRepository } from './pinnedRepository';

/**
 * What differs from the commit of HEAD, tracked or not. Call after `status`. A file may be in it twice. Parley asks Git
 * itself for new files, because the Git extension lists none with `git.untrackedChanges` set to `hidden`, and not all
 * beyond `git.statusLimit`.
 * @throws Error if neither lists new files
 */
export async function uncommittedIn(repository: GitRepository): Promise<readonly GitChange[]> {
  const { rootUri } = repository;
  const found = await untracked(rootUri.fsPath).catch(() => undefined);
  if (!found && vscode.workspace.getConfiguration('git', rootUri).get('untrackedChanges') === 'hidden')
    throw new Error(l10n.t('Git cannot list its new files.'));
  const listed = listedIn(repository);
  // The Git extension lists a repository within with a slash at its end.
  const known = new Set(listed.map(({ uri }) => nodePath.resolve(uri.fsPath)));
  const others = (found ?? []).filter((path) => !known.has(path));
  return [...listed, ...others.map((path) => ({ uri: vscode.Uri.file(path) }))];
}

/** What the Git extension lists of that; see `uncommittedIn`. */
export function listedIn({ state }: GitRepository): readonly GitChange[] {
  const { mergeChanges, indexChanges, workingTreeChanges, untrackedChanges = [] } = state;
  return [...mergeChanges, ...indexChanges, ...workingTreeChanges, ...untrackedChanges];
}

/** The number of files. */
export function fileCountOf(changes: readonly GitChange[]): number {
  return new Set(changes.map(({ uri }) => uri.fsPath)).size;
}

/** Files that Git neither tracks nor ignores. @param root absolute @returns absolute; undefined without Git */
async function untracked(root: string): Promise<readonly string[] | undefined> {
  const git = await pinnedRepository(root);
  return git?.use({}, async (run) => {
    const names = (await run(['ls-files', '--others', '--exclude-standard', '-z'])).toString('utf8').split('\0');
    return names.flatMap((name) => (name === '' ? [] : nodePath.resolve(root, name)));
  });
}
