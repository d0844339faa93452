import { lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import { asObject } from '../acp/json';
import type { GitContent } from './gitContents';
import type { GitHead } from './gitFolders';
import { MAX_GIT_OUTPUT, PinnedGit, type PinnedGitOptions, type RunGit } from './pinnedGit';

/**
 * A folder's files as git knew them at one moment: which were clean, and what these held. Only reads, and runs nothing that
 * the repository names (`PinnedGit`).
 */
export class GitBaseline {
  private constructor(
    private readonly git: PinnedGit,
    private readonly root: string,
    /** Of `root` in the repository, "" or with a final slash. */
    private readonly prefix: string,
    /** Its commit is what clean files are equal to; it has none before the first one. */
    private readonly head: GitHead,
    private readonly notClean: ReadonlySet<string>,
    /** Files that git was told not to look at: they may hold anything. */
    private readonly unwatched: ReadonlySet<string>,
  ) {}

  /**
   * Takes the state of the repository around `root` now.
   * @param root absolute folder.
   * @returns undefined where there is no git, no repository, or one that cannot be read without its own configuration.
   */
  static async take(root: string, env: NodeJS.ProcessEnv, options: Omit<PinnedGitOptions, 'env'> = {}): Promise<GitBaseline | undefined> {
    try {
      const git = await PinnedGit.open(root, { env, ...options });
      const head = await git?.head();
      if (!git || !head) return undefined;
      const prefix = await git.prefixOf(root);
      return await git.use(head, async (run) => {
        const [status, listed] = await Promise.all([statusOf(run, prefix), run(['ls-files', '-v', '-z'])]);
        return new GitBaseline(git, root, prefix, head, parseStatus(status), parseTags(listed));
      });
    } catch {
      return undefined;
    }
  }

  /** The state as JSON, for `resume`. */
  get state(): unknown {
    return { head: this.head, notClean: [...this.notClean], unwatched: [...this.unwatched] };
  }

  /** Goes on with the state that was taken earlier. @returns undefined as `take`, and for what is no such state. */
  static async resume(root: string, env: NodeJS.ProcessEnv, options: Omit<PinnedGitOptions, 'env'>, state: unknown): Promise<GitBaseline | undefined> {
    const { head, notClean, unwatched } = asObject(state);
    const { branch, commit } = asObject(head);
    const texts = (value: unknown) => new Set((Array.isArray(value) ? value : []).filter((item) => typeof item === 'string'));
    if (commit !== undefined && !/^[\da-f]{40,64}$/.test(String(commit))) return undefined;
    try {
      const git = await PinnedGit.open(root, { env, ...options });
      const prefix = await git?.prefixOf(root);
      if (!git || prefix === undefined) return undefined;
      return new GitBaseline(git, root, prefix, { ...(branch === undefined ? {} : { branch: String(branch) }), ...(commit === undefined ? {} : { commit: String(commit) }) }, texts(notClean), texts(unwatched));
    } catch {
      return undefined;
    }
  }

  /**
   * Files in the folder that were not clean: changed, staged or untracked; then those that git was told not to look at, which
   * may be. Absolute; ignored ones are not among them.
   */
  get changedFiles(): string[] {
    return [...this.#files(this.notClean), ...this.#files(this.unwatched)];
  }

  /** What git ignores, absolute; a folder of which all is ignored is one. */
  async ignored(): Promise<{ readonly path: string; readonly isFolder: boolean }[]> {
    const listed = await this.git.use(this.head, (run) => run(['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z', ...below(this.prefix)]));
    return listed.toString('utf8').split('\0').flatMap((path) => (path === '' || !path.startsWith(this.prefix) ? [] : { path: this.#absolute(path), isFolder: path.endsWith('/') }));
  }

  /** The files that are not clean now; a second look at the end of a turn finds what no event told. */
  async changedNow(): Promise<string[]> {
    const head = (await this.git.head()) ?? this.head;
    return this.#files(parseStatus(await this.git.use(head, (run) => statusOf(run, this.prefix))));
  }

  /**
   * What files held at that moment, as far as git can tell: those that were clean, and those that were not there.
   * @param maxBytes of all together; what is beyond is unknown, the largest first.
   */
  async contents(files: readonly string[], maxBytes = MAX_GIT_OUTPUT): Promise<Map<string, GitContent>> {
    const result = new Map<string, GitContent>(files.map((file) => [file, { kind: 'unknown' }]));
    const { commit } = this.head;
    if (commit === undefined) return result;
    const asked = new Map<string, string>();
    const inner = new Map<string, Promise<boolean>>();
    for (const file of files) if (!this.#wasNotClean(this.#relative(file)) && (await this.#isInRepository(file, inner))) asked.set(this.#relative(file), file);
    if (asked.size === 0) return result;
    await this.git.use(this.head, async (run) => {
      const { contentsOf } = await import('./gitContents');
      await contentsOf(run, commit, [...asked.keys()], this.git, maxBytes, (path, content) => result.set(asked.get(path)!, content));
    }).catch((error: unknown) => this.git.log.warn(`${this.root}: git could not tell what ${asked.size} files held: ${String(error)}`));
    return result;
  }

  /** The files that folders held in the commit, for folders that are gone. Absolute. */
  async filesUnder(folders: readonly string[]): Promise<string[]> {
    const { commit } = this.head;
    if (commit === undefined || folders.length === 0) return [];
    const places = folders.map((folder) => `${this.#relative(folder)}/`);
    const listed = await this.git.use(this.head, (run) => run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit, '--', ...places])).catch(() => undefined);
    return (listed?.toString('utf8').split('\0') ?? []).filter((path) => path !== '').map((path) => this.#absolute(path));
  }

  #wasNotClean(path: string): boolean {
    if (this.notClean.has(path) || this.unwatched.has(path)) return true;
    // A repository in this one is told of as a folder.
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) if (this.notClean.has(path.slice(0, end + 1))) return true;
    return false;
  }

  /** A path that git could not take literally, or that lies in a repository of its own, is not asked for. @param inner folders that were looked at. */
  async #isInRepository(file: string, inner: Map<string, Promise<boolean>>): Promise<boolean> {
    const path = nodePath.relative(this.root, file);
    if (path === '' || path.startsWith('..') || nodePath.isAbsolute(path) || /[\n\r]/.test(path)) return false;
    for (let folder = nodePath.dirname(file); folder.length > this.root.length; folder = nodePath.dirname(folder)) {
      const isInner = inner.get(folder) ?? lstat(nodePath.join(folder, '.git')).then(() => true, () => false);
      inner.set(folder, isInner);
      if (await isInner) return false;
    }
    return true;
  }

  #files(paths: ReadonlySet<string>): string[] {
    return [...paths].flatMap((path) => (path.startsWith(this.prefix) && !path.endsWith('/') ? [this.#absolute(path)] : []));
  }

  #relative(file: string): string {
    return this.prefix + nodePath.relative(this.root, file).split(nodePath.sep).join('/');
  }

  #absolute(path: string): string {
    return nodePath.join(this.root, ...path.slice(this.prefix.length).split('/'));
  }
}

function below(prefix: string): string[] {
  return prefix === '' ? [] : ['--', prefix.slice(0, -1)];
}

function statusOf(run: RunGit, prefix: string): Promise<Buffer> {
  return run(['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all', ...below(prefix)]);
}

/**
 * Reads `git status --porcelain=v2 -z --no-renames`: the paths of all that is not clean, relative to the repository. A path
 * with a final slash is a folder, of which nothing more is known.
 */
export function parseStatus(output: Buffer): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const line of output.toString('utf8').split('\0')) {
    // Changed entries have eight fields before the path, unmerged ones ten, untracked ones one.
    const path = /^(?:1 (?:\S+ ){7}|u (?:\S+ ){9}|\? )([^]+)$/.exec(line);
    if (path) paths.add(path[1]!);
  }
  return paths;
}

/** Reads `git ls-files -v -z`: the files that git was told not to look at (skip-worktree is `S`, assume-unchanged a lower-case letter). */
export function parseTags(output: Buffer): ReadonlySet<string> {
  return new Set(output.toString('utf8').split('\0').flatMap((line) => (/^[Sa-z] /.test(line) ? [line.slice(2)] : [])));
}
