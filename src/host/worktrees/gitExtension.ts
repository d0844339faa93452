import * as vscode from 'vscode';

/** A change in the working tree or the index of a repository. */
export interface GitChange {
  readonly uri: vscode.Uri;
  /** Another one if the file was renamed. */
  readonly originalUri?: vscode.Uri;
}

export interface GitCommit {
  readonly hash: string;
  readonly message: string;
}

/** A repository as VS Code's Git extension has it. Older versions have no `createWorktree` and `deleteWorktree`. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    /** `name` is absent if no branch is checked out, `upstream` if the branch is not published. */
    readonly HEAD: { readonly name?: string; readonly commit?: string; readonly upstream?: object } | undefined;
    readonly remotes: readonly object[];
    readonly onDidChange: vscode.Event<void>;
    readonly mergeChanges: readonly GitChange[];
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    /** Absent in older versions, which count these to `workingTreeChanges`. */
    readonly untrackedChanges?: readonly GitChange[];
  };
  status(): Promise<void>;
  getBranches(query: { readonly remote: boolean }): Promise<readonly { readonly name?: string }[]>;
  /** Changed files between a commit and the working tree. Files that Git does not track are not among them. */
  diffWith(ref: string): Promise<readonly GitChange[]>;
  /** @throws Error if the commit has no such file. @param path absolute */
  buffer(ref: string, path: string): Promise<Buffer>;
  /** The newest first. @param options.range as Git writes it: `a..b` */
  log(options: { readonly range: string; readonly maxEntries: number }): Promise<readonly GitCommit[]>;
  getMergeBase(one: string, other: string): Promise<string | undefined>;
  /** @throws Error if there is none */
  getCommit(ref: string): Promise<GitCommit>;
  getBranch(name: string): Promise<{ readonly commit?: string }>;
  deleteBranch(name: string, force?: boolean): Promise<void>;
  /** @returns the folder, absolute; without a `path` one beside the repository, named after the branch. */
  createWorktree?(options: { readonly branch: string; readonly commitish?: string }): Promise<string>;
  /** Git refuses a worktree with changes; the extension then asks the user. */
  deleteWorktree?(path: string, options?: { readonly force?: boolean }): Promise<void>;
}

export interface GitApi {
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
  /** The innermost open repository that a file or folder is in. */
  getRepository(uri: vscode.Uri): GitRepository | null;
  /** A file as a commit has it, for editors. */
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

/** What the Git extension exports. */
export interface GitExports {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  /** @throws Error while the extension is not enabled. */
  getAPI(version: 1): GitApi;
}

/** VS Code's Git extension, activated. @returns undefined if it is missing or disabled. */
export async function gitExtension(): Promise<GitExports | undefined> {
  return vscode.extensions.getExtension<GitExports>('vscode.git')?.activate();
}
