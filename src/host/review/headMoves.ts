import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { PinnedCommits } from '../../node/pinnedCommits';
import { GitRepositories, type MovedHead } from '../worktrees/gitRepositories';
import type { CommitReader } from './userCommits';

/** HEAD of a repository has moved. */
export interface HeadMove {
  readonly root: string;
  readonly head: string;
  /** Earlier commits of HEAD: when it was last seen, and at the end of the last turn. */
  readonly earlier: readonly string[];
  readonly commits: CommitReader;
}

/**
 * Reports moves of HEAD in repositories of the workspace. VS Code's Git extension tells of them. Parley does not let it
 * read the repository, because it would run programs that the repository configures.
 */
export class HeadMoves extends Disposable {
  readonly #moveEmitter = this.register(new Emitter<HeadMove>());
  #started: Promise<void> | undefined;
  #git: GitRepositories | undefined;
  /** The commit of HEAD at the end of the last turn, by root. The extension may report it much later. */
  readonly #ends = new Map<string, Promise<string | undefined>>();

  readonly onDidMove = this.#moveEmitter.event;

  /** @param environment the user's environment */
  constructor(
    private readonly environment: () => Promise<NodeJS.ProcessEnv>,
    private readonly log: Logger,
  ) {
    super();
  }

  /** Follows repositories from now on. */
  start(): Promise<void> {
    return (this.#started ??= this.#follow());
  }

  /** No agent works any more: HEAD includes all of their commits now. */
  turnEnded(): void {
    void this.#git?.find();
    for (const root of this.#git?.roots ?? []) {
      const last = this.#ends.get(root);
      const head = this.#commitsOf(root).then((commits) => commits?.head());
      // A repository that cannot be read must not block others.
      this.#ends.set(
        root,
        head.then(
          async (found) => found?.commit ?? last,
          (error: unknown) => (this.#failed(error), last),
        ),
      );
    }
  }

  async #follow(): Promise<void> {
    const git = await GitRepositories.connect(this.log);
    if (this.store.isDisposed) return git.dispose();
    this.#git = this.register(git);
    this.register(git.onDidMoveHead((move) => void this.#moved(move).catch((error: unknown) => this.#failed(error))));
  }

  async #moved({ root, before, head }: MovedHead): Promise<void> {
    const end = await this.#ends.get(root);
    const commits = await this.#commitsOf(root);
    if (commits) this.#moveEmitter.fire({ root, head, earlier: [before, end ?? before], commits });
  }

  async #commitsOf(root: string): Promise<PinnedCommits | undefined> {
    const notWithin = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    return PinnedCommits.open(root, { env: await this.environment(), notWithin });
  }

  #failed(error: unknown): void {
    this.log.warn(`Commits could not be followed, so no change is kept on commit: ${messageOf(error)}`);
  }
}
