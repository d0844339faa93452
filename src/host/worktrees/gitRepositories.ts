import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable, DisposableStore, type IDisposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { type GitApi, type GitExports, gitExtension, type GitRepository } from './gitExtension';

/** The checked-out commit of a repository is another one. */
export interface MovedHead {
  readonly root: string;
  readonly before: string;
  readonly head: string;
}

/** The repositories that VS Code's Git extension has open, while it is enabled. */
export class GitRepositories extends Disposable {
  #extension: GitExports | undefined;
  #git: GitApi | undefined;
  readonly #following = this.register(new DisposableStore());
  readonly #listeners = new Map<GitRepository, IDisposable>();
  readonly #moveEmitter = this.register(new Emitter<MovedHead>());
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** Others are open, or one has its first commit. */
  readonly onDidChange = this.#changeEmitter.event;

  readonly onDidMoveHead = this.#moveEmitter.event;

  private constructor(private readonly log: Logger) {
    super();
    this.register(vscode.extensions.onDidChange(() => void this.find()));
  }

  /** Finds the Git extension, now or when it is installed or enabled: it is not while the workspace is not trusted. */
  static async connect(log: Logger): Promise<GitRepositories> {
    const repositories = new GitRepositories(log);
    await repositories.find();
    return repositories;
  }

  /** The folders of the open repositories. */
  get roots(): readonly string[] {
    return [...this.#listeners.keys()].map(({ rootUri }) => rootUri.fsPath);
  }

  /** The innermost open repository of a folder, if it has a commit. */
  withCommit(folder: string): GitRepository | undefined {
    const repository = this.#git?.getRepository(vscode.Uri.file(folder));
    return repository?.state.HEAD?.commit === undefined ? undefined : repository;
  }

  /** A file as a commit has it, for editors. */
  atCommit(uri: vscode.Uri, commit: string): vscode.Uri | undefined {
    return this.#git?.toGitUri(uri, commit);
  }

  async open(root: string): Promise<GitRepository | undefined> {
    return (await this.#git?.openRepository(vscode.Uri.file(root))) ?? undefined;
  }

  /** Finds the Git extension if that failed before. */
  async find(): Promise<void> {
    if (this.#extension) return;
    const found = await gitExtension().catch((error: Error) => {
      this.log.warn(`The Git extension could not be started: ${error.message}`);
    });
    if (!found || this.#extension || this.store.isDisposed) return;
    this.#extension = found;
    this.register(found.onDidChangeEnablement(() => this.#follow()));
    this.#follow();
  }

  override dispose(): void {
    this.#forgetAll();
    super.dispose();
  }

  #follow(): void {
    this.#forgetAll();
    this.#git = this.#extension?.enabled ? this.#extension.getAPI(1) : undefined;
    if (this.#git) {
      for (const repository of this.#git.repositories) this.#listen(repository);
      this.#following.add(this.#git.onDidOpenRepository((repository) => this.#listen(repository)));
      this.#following.add(this.#git.onDidCloseRepository((repository) => this.#forget(repository)));
    }
    this.#changeEmitter.fire();
  }

  #forgetAll(): void {
    this.#following.clear();
    for (const listener of this.#listeners.values()) listener.dispose();
    this.#listeners.clear();
  }

  #forget(repository: GitRepository): void {
    this.#listeners.get(repository)?.dispose();
    this.#listeners.delete(repository);
    this.#changeEmitter.fire();
  }

  /** The commit of a repository is known some time after it was opened. */
  #listen(repository: GitRepository): void {
    if (this.#listeners.has(repository)) return;
    let had = repository.state.HEAD?.commit !== undefined;
    let before = repository.state.HEAD?.commit;
    const listener = repository.state.onDidChange(() => {
      const head = repository.state.HEAD?.commit;
      if ((head !== undefined) !== had) this.#changeEmitter.fire();
      had = head !== undefined;
      if (head === undefined || head === before) return;
      // The first known commit of a repository is not a move.
      if (before !== undefined) this.#moveEmitter.fire({ root: repository.rootUri.fsPath, before, head });
      before = head;
    });
    this.#listeners.set(repository, listener);
    this.#changeEmitter.fire();
  }
}
