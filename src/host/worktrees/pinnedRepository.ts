import * as vscode from 'vscode';
import { userEnvironment } from '../../node/environment';
import { PinnedGit } from '../../node/pinnedGit';

/**
 * Parley's own Git for a repository. It runs no hooks and no filters.
 * @param folder absolute, in the repository
 * @returns undefined if there is no Git, or the repository cannot be read this way
 */
export async function pinnedRepository(folder: string): Promise<PinnedGit | undefined> {
  const notWithin = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return PinnedGit.open(folder, { env: await userEnvironment(), notWithin });
}
