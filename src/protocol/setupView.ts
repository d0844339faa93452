/**
 * One MCP server, by the name in its definition, which may be hostile text. No command, address or secret comes with
 * it.
 */
export interface ServerView {
  readonly name: string;
  /** `review`: it is passed on only once the user agrees. `off`: the user decided against it. */
  readonly state: 'passed' | 'left' | 'review' | 'off';
  /** Why it was not passed on, as the rest of a sentence. */
  readonly why?: string;
}

export interface FolderView {
  readonly name: string;
  /** `next`: only the next session has it. */
  readonly state: 'cwd' | 'passed' | 'left' | 'next';
}

/**
 * What a session was opened with beside its `cwd`: MCP servers and further folders. An empty list has nothing to tell.
 */
export interface SetupView {
  readonly servers: readonly ServerView[];
  readonly folders: readonly FolderView[];
  /** Where the session works, if that is not in the workspace. Absolute. */
  readonly elsewhere?: string;
  /** Why folders were left out, in one sentence. */
  readonly foldersWhy?: string;
  /** Another session would be opened with something else. */
  readonly changed: boolean;
}
