import nodePath from 'node:path';
import * as vscode from 'vscode';
import type { NewAttachment } from '../attachments/attachment';
import { boundedDiff } from '../attachments/boundedDiff';

/** The part of the API of VS Code's own Git extension that is used here, to read. */
interface GitExports {
  readonly enabled: boolean;
  getAPI(version: 1): { readonly repositories: readonly Repository[]; getRepository(uri: vscode.Uri): Repository | null };
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly HEAD: { readonly name?: string; readonly commit?: string } | undefined;
    readonly indexChanges: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    readonly mergeChanges: readonly Change[];
    readonly untrackedChanges?: readonly Change[];
  };
  status(): Promise<void>;
  /** Working tree against a commit. (`diffWithHEAD` compares with the index, whatever its name says.) */
  diffWith(ref: string, path: string): Promise<string>;
}

interface Change {
  readonly uri: vscode.Uri;
  readonly renameUri?: vscode.Uri;
  readonly status: number;
}

/** `Status.UNTRACKED` of the Git extension. */
const untracked = 7;
/** Files whose difference is asked for; each is a run of git. */
const maxFiles = 200;

/** What differs between the working tree and the last commit of the repository around a file. A string says why there is nothing. */
export async function changesContext(near: readonly vscode.Uri[]): Promise<NewAttachment | string> {
  const git = await gitExports();
  if (!git?.enabled) return 'Git is not available: VS Code’s Git extension is switched off.';
  const api = git.getAPI(1);
  const repository = near.map((uri) => api.getRepository(uri)).find((found) => found !== null) ?? api.repositories[0];
  if (!repository) return 'There is no Git repository in the workspace.';
  if (repository.state.HEAD?.commit === undefined) return 'The repository has no commit yet to compare with.';
  await repository.status();
  const { indexChanges, mergeChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  const changes = [...indexChanges, ...mergeChanges, ...workingTreeChanges, ...untrackedChanges];
  const pathsOf = (some: readonly Change[]) => [...new Set(some.flatMap(({ uri, renameUri }) => [uri.fsPath, ...(renameUri ? [renameUri.fsPath] : [])]))].sort();
  const files = pathsOf(changes.filter(({ status }) => status !== untracked));
  const diffs: string[] = [];
  for (const file of files.slice(0, maxFiles)) diffs.push(await repository.diffWith('HEAD', file));
  const root = repository.rootUri.fsPath;
  const added = pathsOf(changes.filter(({ status }) => status === untracked)).map((file) => nodePath.relative(root, file).replaceAll('\\', '/'));
  if (files.length === 0 && added.length === 0) return 'There are no changes since the last commit.';
  const text = boundedDiff(diffs, { untracked: added, more: Math.max(0, files.length - maxFiles) });
  const count = files.length + added.length;
  return {
    kind: 'changes',
    label: 'Changes',
    detail: `${count} ${count === 1 ? 'file' : 'files'} changed since the last commit${repository.state.HEAD.name === undefined ? '' : ` on ${repository.state.HEAD.name}`}, in ${nodePath.basename(root)}`,
    linkable: false,
    uri: `parley:/changes/${encodeURIComponent(nodePath.basename(root))}`,
    mimeType: 'text/x-diff',
    content: text,
    fileName: 'changes.diff',
  };
}

async function gitExports(): Promise<GitExports | undefined> {
  const extension = vscode.extensions.getExtension<GitExports>('vscode.git');
  return extension && (extension.isActive ? extension.exports : await extension.activate());
}
