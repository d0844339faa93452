/**
 * One MCP server, by the name in its definition, which may be hostile text. Its command, address and secrets are left
 * out.
 */
export interface ServerView {
  readonly name: string;
  /** `review`: it is passed on only after the user agrees. `off`: the user refused it. */
  readonly state: 'passed' | 'left' | 'review' | 'off';
  /** Why it was not passed on, as the rest of a sentence. */
  readonly why?: string;
  /** Of the editor's own server: who connected, and what they used, in words. */
  readonly use?: string;
}

export interface FolderView {
  readonly name: string;
  /** `next`: only the next session has it. */
  readonly state: 'cwd' | 'passed' | 'left' | 'next';
}

/** The setup of a session besides its `cwd`: MCP servers and further folders. Empty lists are not shown. */
export interface SetupView {
  readonly servers: readonly ServerView[];
  readonly folders: readonly FolderView[];
  /** The worktree that the session works in. `path`: the session's folder in it, absolute. */
  readonly worktree?: { readonly branch: string; readonly path: string };
  /** The session's folder, if it is outside the workspace and in no worktree. Absolute. */
  readonly elsewhere?: string;
  /** Why folders were left out, in one sentence. */
  readonly foldersWhy?: string;
  /** A new session would have another setup. */
  readonly changed: boolean;
}
