import type * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { isWithin } from '../../node/isWithin';
import type { GitRepository } from './gitExtension';
import type { GitRepositories } from './gitRepositories';
import type { Made } from './makeWorktree';
import { decodeWorktree, rootsIn, type Worktree } from './worktree';

/** Where a session works. */
export type Place = 'folder' | 'worktree';

const placeKey = 'parley.places';
const prefix = 'parley.worktree.';
/** The one that is being made now. */
const plannedKey = 'parley.plannedWorktree';

/**
 * The worktrees of this workspace's sessions, and where new sessions work. VS Code's Git
 * extension makes and removes them: Git runs programs that a repository configures, and Parley does not.
 */
export class Worktrees extends Disposable {
  #git: GitRepositories | undefined;
  #starting: Promise<void> | undefined;
  /** Read once, because the view asks with each change of a thread. */
  #known: readonly Worktree[] | undefined;
  /** One is made after another, so that two never get the same name. */
  #making: Promise<unknown> = Promise.resolve();
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** Other worktrees are known, or one can be made somewhere else than before. */
  readonly onDidChange = this.#changeEmitter.event;

  /** @param state one key for each worktree, so that two windows of a folder add to each other's. */
  constructor(
    private readonly state: vscode.Memento,
    private readonly log: Logger,
  ) {
    super();
  }

  /** Asks the Git extension for its repositories. Call once the user looks at a view. */
  start(): Promise<void> {
    return (this.#starting ??= this.#connect().catch((error: unknown) =>
      this.log.warn(`The Git extension cannot be used: ${String(error)}`),
    ));
  }

  get all(): readonly Worktree[] {
    return (this.#known ??= this.state
      .keys()
      .flatMap((key) => (key.startsWith(prefix) ? (decodeWorktree(this.state.get(key)) ?? []) : [])));
  }

  /** The worktree that a folder is in. */
  at(folder: string): Worktree | undefined {
    return this.all.find(({ path }) => isWithin(folder, path));
  }

  /** What a session in a folder has in its reach. @param roots what it would have outside of a worktree */
  reach(cwd: string, roots: readonly string[]): readonly string[] {
    const worktree = this.at(cwd);
    return worktree ? rootsIn(worktree, cwd, roots) : roots;
  }

  /** Where the next session of an agent works; undefined if there is no choice. @param folder where it is without one */
  placeOf(agent: string, folder: string): Place | undefined {
    if (!this.repositoryOf(folder)?.createWorktree || this.at(folder)) return undefined;
    return this.#places()[agent] === 'worktree' ? 'worktree' : 'folder';
  }

  async choose(agent: string, place: Place): Promise<void> {
    await this.state.update(placeKey, { ...this.#places(), [agent]: place });
    this.#changeEmitter.fire();
  }

  /** An open repository with a commit, which a worktree can begin with. */
  repositoryOf(folder: string): GitRepository | undefined {
    return this.#git?.withCommit(folder);
  }

  /** A file as a commit has it, for editors. */
  atCommit(uri: vscode.Uri, commit: string): vscode.Uri | undefined {
    return this.#git?.atCommit(uri, commit);
  }

  /** Opens a repository in the Git extension. @returns undefined if it is none */
  async open(root: string): Promise<GitRepository | undefined> {
    await this.start();
    return this.#git?.open(root);
  }

  /**
   * Has a worktree made.
   * @param folder of the workspace @param words the branch is named after them
   * @throws NoWorktree
   */
  make(folder: string, words: string): Promise<Made> {
    const made = this.#making
      .catch(() => undefined)
      .then(async () => {
        const [{ makeWorktree }, { freePort }] = await Promise.all([
          import('./makeWorktree'),
          import('../../node/freePort'),
        ]);
        const begins = async (planned: object) => this.state.update(plannedKey, planned);
        const { log } = this;
        const { worktree, cwd } = await makeWorktree(this.repositoryOf(folder), folder, words, { begins, log });
        const port = await freePort(this.all.map((other) => other.port)).catch(() => undefined);
        const made = { ...worktree, ...(port === undefined ? {} : { port }) };
        await this.#set(made.path, made);
        return { worktree: made, cwd };
      })
      .finally(() => this.state.update(plannedKey, undefined));
    this.#making = made;
    return made;
  }

  /** Takes one from the list. Its folder is not touched. */
  async forget({ path }: Worktree): Promise<void> {
    await this.#set(path, undefined);
  }

  async #set(path: string, worktree: Worktree | undefined): Promise<void> {
    const updated = this.state.update(prefix + path, worktree);
    this.#known = undefined;
    this.#changeEmitter.fire();
    await updated;
  }

  #places(): Readonly<Record<string, unknown>> {
    const kept = this.state.get<unknown>(placeKey);
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  }

  /** Lists a worktree that was made when the extension host ended. */
  async #adopt(): Promise<void> {
    const planned = this.state.get(plannedKey);
    const { worktreeOfBranch } = await import('./unfinishedWorktree');
    const known = decodeWorktree({ ...(planned as object), path: '/' });
    const path = known && (await worktreeOfBranch(known, this.log));
    if (path !== undefined && !this.at(path)) await this.#set(path, { ...known!, path });
    await this.state.update(plannedKey, undefined);
  }

  async #connect(): Promise<void> {
    const { GitRepositories } = await import('./gitRepositories');
    const git = await GitRepositories.connect(this.log);
    if (this.store.isDisposed) return git.dispose();
    this.#git = this.register(git);
    this.register(git.onDidChange(() => this.#changeEmitter.fire()));
    // Before any other is made.
    if (this.state.get(plannedKey)) await (this.#making = this.#adopt());
    this.#changeEmitter.fire();
  }
}
