import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable, DisposableStore, type IDisposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { PinnedCommits } from '../../node/pinnedCommits';
import { type HeadMove, readHeadMove } from '../changes/disk/headMove';

/**
 * The used part of the API of VS Code's Git extension: it reports moves of HEAD. Parley does not let it read the
 * repository, because it would run programs that the repository configures.
 */
interface GitExports {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): GitApi;
}

interface GitApi {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  readonly onDidCloseRepository: vscode.Event<Repository>;
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: { readonly HEAD: { readonly commit?: string } | undefined; readonly onDidChange: vscode.Event<void> };
}

/** An open repository. */
interface Followed {
  readonly listener: IDisposable;
  /** The commit of HEAD when it was last seen. */
  head: string | undefined;
  /** The commit of HEAD at the end of the last turn. The extension may report it much later. */
  end?: string;
}

/** Reports moves of HEAD in repositories of the workspace, through the Git extension, with the new commits. */
export class CommittedFiles extends Disposable {
  readonly #moveEmitter = this.register(new Emitter<HeadMove>());
  readonly #repositories = new Map<Repository, Followed>();
  readonly #following = this.register(new DisposableStore());
  #marking: Promise<unknown> = Promise.resolve();
  #starting: Promise<void> | undefined;
  #isConnected = false;

  readonly onDidMove = this.#moveEmitter.event;

  /** @param environment the user's environment */
  constructor(
    private readonly environment: () => Promise<NodeJS.ProcessEnv>,
    private readonly log: Logger,
  ) {
    super();
    // The Git extension may be installed or enabled later.
    this.register(vscode.extensions.onDidChange(() => this.#startAgain()));
  }

  /**
   * Starts to follow repositories. If the Git extension is missing, this waits for it. A failure is logged, and the
   * next call after the end of a turn tries again.
   */
  start(): Promise<void> {
    return (this.#starting ??= this.#connect().catch((error: unknown) => this.#failed(error)));
  }

  /** No agent works any more: HEAD includes all of their commits now. */
  turnEnded(): void {
    this.#startAgain();
    const mark = async ([repository, followed]: [Repository, Followed]) => {
      const head = await (await this.#commitsOf(repository))?.head();
      if (head?.commit !== undefined) followed.end = head.commit;
    };
    // A repository that cannot be read must not block others.
    const marks = [...this.#repositories].map((entry) => mark(entry).catch((error: unknown) => this.#failed(error)));
    this.#marking = Promise.all([this.#marking, ...marks]);
  }

  override dispose(): void {
    this.#forgetAll();
    super.dispose();
  }

  #startAgain(): void {
    if (!this.#isConnected) this.#starting = undefined;
  }

  async #connect(): Promise<void> {
    const git = await vscode.extensions.getExtension<GitExports>('vscode.git')?.activate();
    if (!git || this.store.isDisposed) return;
    if (git.enabled) this.#followAll(git.getAPI(1));
    this.register(
      git.onDidChangeEnablement((isEnabled) => (isEnabled ? this.#followAll(git.getAPI(1)) : this.#forgetAll())),
    );
    this.#isConnected = true;
  }

  #followAll(git: GitApi): void {
    this.#forgetAll();
    this.#following.add(git.onDidOpenRepository((repository) => this.#follow(repository)));
    this.#following.add(git.onDidCloseRepository((repository) => this.#forget(repository)));
    for (const repository of git.repositories) this.#follow(repository);
  }

  #forgetAll(): void {
    this.#following.clear();
    for (const repository of this.#repositories.keys()) this.#forget(repository);
  }

  #follow(repository: Repository): void {
    if (this.#repositories.has(repository)) return;
    const listener = repository.state.onDidChange(
      () => void this.#look(repository).catch((error: unknown) => this.#failed(error)),
    );
    this.#repositories.set(repository, { listener, head: repository.state.HEAD?.commit });
  }

  #forget(repository: Repository): void {
    this.#repositories.get(repository)?.listener.dispose();
    this.#repositories.delete(repository);
  }

  async #look(repository: Repository): Promise<void> {
    const followed = this.#repositories.get(repository);
    const now = repository.state.HEAD?.commit;
    if (!followed || now === followed.head || now === undefined) return;
    const before = followed.head;
    followed.head = now;
    // The first known commit of a repository is not a move.
    if (before === undefined) return;
    await this.#marking;
    const commits = await this.#commitsOf(repository);
    if (commits)
      this.#moveEmitter.fire(
        await readHeadMove(repository.rootUri.fsPath, commits, now, [before, followed.end ?? before]),
      );
  }

  async #commitsOf({ rootUri }: Repository): Promise<PinnedCommits | undefined> {
    const notWithin = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    return PinnedCommits.open(rootUri.fsPath, { env: await this.environment(), notWithin });
  }

  #failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.log.warn(`Commits could not be followed, so no change is kept on commit: ${reason}`);
  }
}
