import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable, DisposableStore } from '../../base/lifecycle';
import { type GitApi, type GitExports, gitExtension, type GitRepository } from './gitExtension';

/** The repositories that VS Code's Git extension has open, while it is enabled. */
export class GitRepositories extends Disposable {
  #extension: GitExports | undefined;
  #git: GitApi | undefined;
  readonly #following = this.register(new DisposableStore());
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** Others are open, or one has its first commit. */
  readonly onDidChange = this.#changeEmitter.event;

  /** Finds the Git extension, now or when it is installed or enabled: it is not while the workspace is not trusted. */
  static async connect(): Promise<GitRepositories> {
    const repositories = new GitRepositories();
    repositories.register(vscode.extensions.onDidChange(() => void repositories.#find()));
    await repositories.#find();
    return repositories;
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

  async #find(): Promise<void> {
    if (this.#extension) return;
    const found = await gitExtension().catch(() => undefined);
    if (!found || this.#extension || this.store.isDisposed) return;
    this.#extension = found;
    this.register(found.onDidChangeEnablement(() => this.#follow()));
    this.#follow();
  }

  #follow(): void {
    this.#following.clear();
    this.#git = this.#extension?.enabled ? this.#extension.getAPI(1) : undefined;
    if (this.#git) {
      for (const repository of this.#git.repositories) this.#listen(repository);
      this.#following.add(this.#git.onDidOpenRepository((repository) => this.#listen(repository)));
      this.#following.add(this.#git.onDidCloseRepository(() => this.#changeEmitter.fire()));
    }
    this.#changeEmitter.fire();
  }

  /** The commit of a repository is known some time after it was opened. */
  #listen(repository: GitRepository): void {
    let had = repository.state.HEAD?.commit !== undefined;
    this.#changeEmitter.fire();
    this.#following.add(
      repository.state.onDidChange(() => {
        const has = repository.state.HEAD?.commit !== undefined;
        if (has !== had) this.#changeEmitter.fire();
        had = has;
      }),
    );
  }
}
