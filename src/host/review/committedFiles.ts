import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable, DisposableStore } from '../../base/lifecycle';
import { PinnedCommits } from '../../node/pinnedCommits';
import { type HeadMove, readHeadMove } from '../changes/disk/headMove';

/** The part of the API of VS Code's own Git extension that is used here: it tells when HEAD moves. It reads nothing for us, because it would run what the repository names. */
interface GitExports {
  readonly enabled: boolean;
  getAPI(version: 1): { readonly repositories: readonly Repository[]; readonly onDidOpenRepository: vscode.Event<Repository>; readonly onDidCloseRepository: vscode.Event<Repository> };
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: { readonly HEAD: { readonly commit?: string } | undefined; readonly onDidChange: vscode.Event<void> };
}

/** Tells when HEAD of a repository of the workspace moves, through the Git extension, and what is in the new commit. */
export class CommittedFiles extends Disposable {
  readonly #moveEmitter = this.register(new Emitter<HeadMove>());
  readonly #heads = new Map<Repository, string | undefined>();
  readonly #following = this.register(new DisposableStore());
  /** Where HEAD stood when the last turn had ended, which the extension may tell of much later. */
  readonly #ends = new Map<Repository, string>();
  #marking: Promise<unknown> = Promise.resolve();
  #started = false;

  readonly onDidMove = this.#moveEmitter.event;

  /** @param environment the user's */
  constructor(private readonly environment: () => Promise<NodeJS.ProcessEnv>) {
    super();
  }

  /** Begins to follow; without the Git extension nothing ever happens. */
  async start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    const git = (await vscode.extensions.getExtension<GitExports>('vscode.git')?.activate())?.enabled ? vscode.extensions.getExtension<GitExports>('vscode.git')!.exports.getAPI(1) : undefined;
    if (!git) return;
    for (const repository of git.repositories) this.#follow(repository);
    this.#following.add(git.onDidOpenRepository((repository) => this.#follow(repository)));
    this.#following.add(git.onDidCloseRepository((repository) => this.#heads.delete(repository) && this.#ends.delete(repository)));
  }

  /** No agent works any more: what it has committed is in HEAD now. */
  turnEnded(): void {
    const mark = async (repository: Repository) => {
      const head = await (await this.#commitsOf(repository))?.head();
      if (head?.commit !== undefined) this.#ends.set(repository, head.commit);
    };
    this.#marking = Promise.all([this.#marking, ...[...this.#heads.keys()].map(mark)]);
  }

  #follow(repository: Repository): void {
    this.#heads.set(repository, repository.state.HEAD?.commit);
    this.#following.add(repository.state.onDidChange(() => void this.#look(repository)));
  }

  async #look(repository: Repository): Promise<void> {
    const before = this.#heads.get(repository);
    const now = repository.state.HEAD?.commit;
    if (now === before || now === undefined) return;
    this.#heads.set(repository, now);
    // The first that is known of a repository is no move.
    if (before === undefined) return;
    await this.#marking;
    const commits = await this.#commitsOf(repository);
    if (commits) this.#moveEmitter.fire(await readHeadMove(repository.rootUri.fsPath, commits, now, [before, this.#ends.get(repository) ?? before]));
  }

  async #commitsOf({ rootUri }: Repository): Promise<PinnedCommits | undefined> {
    const notWithin = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    return PinnedCommits.open(rootUri.fsPath, { env: await this.environment(), notWithin });
  }
}
