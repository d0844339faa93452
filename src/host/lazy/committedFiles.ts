import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable, DisposableStore } from '../../base/lifecycle';

/** The part of the API of VS Code's own Git extension that is used here, to read. */
interface GitExports {
  readonly enabled: boolean;
  getAPI(version: 1): { readonly repositories: readonly Repository[]; readonly onDidOpenRepository: vscode.Event<Repository>; readonly onDidCloseRepository: vscode.Event<Repository> };
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: { readonly HEAD: { readonly commit?: string } | undefined; readonly onDidChange: vscode.Event<void> };
  show(ref: string, path: string): Promise<string>;
  getCommit(ref: string): Promise<{ readonly commitDate?: Date }>;
}

/** HEAD of a repository has moved from one commit to another. */
export interface HeadMove {
  readonly root: string;
  /** When the new commit was made, as it says itself. Epoch ms, a whole second; undefined where that is not known. */
  readonly committedAt: number | undefined;
  /** Whether a file holds `text` (undefined: is gone) in the new commit; of one that is gone, whether the commit took it away. */
  readonly holds: (path: string, text: string | undefined) => Promise<boolean>;
}

/** Tells when HEAD of a repository of the workspace moves, through the Git extension, and what is in the new commit. */
export class CommittedFiles extends Disposable {
  private readonly moved = this.register(new Emitter<HeadMove>());
  private readonly heads = new Map<Repository, string | undefined>();
  private readonly following = this.register(new DisposableStore());
  private started = false;

  readonly onDidMove = this.moved.event;

  /** Begins to follow; without the Git extension nothing ever happens. */
  async start(): Promise<void> {
    if (this.started) return;
    this.started = true;
    const git = (await vscode.extensions.getExtension<GitExports>('vscode.git')?.activate())?.enabled ? vscode.extensions.getExtension<GitExports>('vscode.git')!.exports.getAPI(1) : undefined;
    if (!git) return;
    for (const repository of git.repositories) this.follow(repository);
    this.following.add(git.onDidOpenRepository((repository) => this.follow(repository)));
    this.following.add(git.onDidCloseRepository((repository) => this.heads.delete(repository)));
  }

  private follow(repository: Repository): void {
    this.heads.set(repository, repository.state.HEAD?.commit);
    this.following.add(repository.state.onDidChange(() => void this.look(repository)));
  }

  private async look(repository: Repository): Promise<void> {
    const before = this.heads.get(repository);
    const now = repository.state.HEAD?.commit;
    if (now === before || now === undefined) return;
    this.heads.set(repository, now);
    // The first that is known of a repository is no move.
    if (before === undefined) return;
    const show = (ref: string, path: string) => repository.show(ref, path).then((text) => text, () => undefined);
    this.moved.fire({
      root: repository.rootUri.fsPath,
      committedAt: await repository.getCommit(now).then(({ commitDate }) => commitDate?.getTime(), () => undefined),
      holds: async (path, text) => {
        const committed = await show(now, path);
        if (text === undefined) return committed === undefined && (await show(before, path)) !== undefined;
        return committed !== undefined && plain(committed) === plain(text);
      },
    });
  }
}

/** Git gives the bytes as they are committed, an editor text without mark and with its own line ends. */
function plain(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
