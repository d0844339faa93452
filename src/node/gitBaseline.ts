import nodePath from 'node:path';
import { asObject } from '../base/decode';
import type { GitContent } from './gitContents';
import type { GitHead } from './gitFolders';
import { MAX_GIT_OUTPUT, PinnedGit, type PinnedGitOptions, type RunGit } from './pinnedGit';

/** Git's answers about a repository at one moment. Paths are relative to its top; those of folders end with a slash. */
interface Told {
  /** Clean files are equal to its commit; there is none before the first commit. */
  readonly head: GitHead;
  readonly notClean: ReadonlySet<string>;
  /** Files that git ignores by its index flags: they may have any content. */
  readonly unwatched: ReadonlySet<string>;
  /** Paths of other repositories: submodules, and untracked folders with their own repository. */
  readonly inner: ReadonlySet<string>;
  /** Ignored files. Undefined if git could not list them. */
  readonly ignored: ReadonlySet<string> | undefined;
}

/**
 * A folder's files as one repository knew them at one moment: which were clean, and their content. Only reads, and runs
 * nothing that the repository names (`PinnedGit`). It knows only the location of inner repositories: ask `GitBaselines`
 * about files there.
 */
export class GitBaseline {
  /** Files of the commit, absolute. */
  #committed: Promise<readonly string[]> | undefined;

  private constructor(
    private readonly git: PinnedGit,
    private readonly root: string,
    /** The path of `root` in the repository, "" or with a final slash. */
    private readonly prefix: string,
    private readonly told: Told,
  ) {}

  /**
   * Takes the state of the repository around `root` now.
   * @param root absolute folder.
   * @returns undefined without git or a repository, or if it cannot be read without its own configuration.
   */
  static async take(
    root: string,
    env: NodeJS.ProcessEnv,
    options: Omit<PinnedGitOptions, 'env'> = {},
  ): Promise<GitBaseline | undefined> {
    try {
      const git = await PinnedGit.open(root, { env, ...options });
      const head = await git?.head();
      if (!git || !head) return undefined;
      const prefix = await git.prefixOf(root);
      return await git.use(head, async (run) => {
        const [status, listed, ignored] = await Promise.all([
          statusOf(run, prefix),
          run(['ls-files', '-v', '-s', '-z']),
          ignoredIn(run, prefix).catch(() => undefined),
        ]);
        const notClean = parseStatus(status);
        const { unwatched, links } = parseIndex(listed);
        const inner = new Set([...links, ...[...notClean].filter((path) => path.endsWith('/'))]);
        return new GitBaseline(git, root, prefix, { head, notClean, unwatched, inner, ignored });
      });
    } catch {
      return undefined;
    }
  }

  /** The state as JSON, for `resume`. */
  get state(): unknown {
    const { head, notClean, unwatched, inner, ignored } = this.told;
    return {
      head,
      notClean: [...notClean],
      unwatched: [...unwatched],
      inner: [...inner],
      ...(ignored ? { ignored: [...ignored] } : {}),
    };
  }

  /** Restores a state that was taken earlier. @returns undefined as `take`, and for an invalid state. */
  static async resume(
    root: string,
    env: NodeJS.ProcessEnv,
    options: Omit<PinnedGitOptions, 'env'>,
    state: unknown,
  ): Promise<GitBaseline | undefined> {
    const { head, notClean, unwatched, inner, ignored } = asObject(state);
    const { branch, commit } = asObject(head);
    const texts = (value: unknown) =>
      new Set((Array.isArray(value) ? value : []).filter((item) => typeof item === 'string'));
    if (commit !== undefined && !/^[\da-f]{40,64}$/.test(String(commit))) return undefined;
    try {
      const git = await PinnedGit.open(root, { env, ...options });
      const prefix = await git?.prefixOf(root);
      if (!git || prefix === undefined) return undefined;
      const at: GitHead = {
        ...(branch === undefined ? {} : { branch: String(branch) }),
        ...(commit === undefined ? {} : { commit: String(commit) }),
      };
      return new GitBaseline(git, root, prefix, {
        head: at,
        notClean: texts(notClean),
        unwatched: texts(unwatched),
        inner: texts(inner),
        ignored: ignored === undefined ? undefined : texts(ignored),
      });
    } catch {
      return undefined;
    }
  }

  /** The folder of the working tree, links resolved. */
  get top(): string {
    return this.git.folders.top;
  }

  /**
   * Files in the folder that were not clean: changed, staged or untracked; then those that git skips by its index
   * flags, which may be. Absolute; without ignored ones.
   */
  get changedFiles(): string[] {
    return [...this.#files(this.told.notClean), ...this.#files(this.told.unwatched)];
  }

  /** Folders below this one that belong to other repositories, or to missing submodules. Absolute. */
  get inner(): string[] {
    return [...this.told.inner].flatMap((path) =>
      path.startsWith(this.prefix) && path !== this.prefix ? [this.#absolute(path.slice(0, -1))] : [],
    );
  }

  /**
   * Ignored paths, absolute; a folder that is ignored as a whole is one of them. Undefined if git could not list them.
   */
  get ignored(): readonly { readonly path: string; readonly isFolder: boolean }[] | undefined {
    return (
      this.told.ignored &&
      [...this.told.ignored].flatMap((path) =>
        path.startsWith(this.prefix) ? { path: this.#absolute(path), isFolder: path.endsWith('/') } : [],
      )
    );
  }

  /** The files that are not clean now; a second look at the end of a turn finds changes without an event. */
  async changedNow(): Promise<string[]> {
    const head = (await this.git.head()) ?? this.told.head;
    return this.#files(parseStatus(await this.git.use(head, (run) => statusOf(run, this.prefix))));
  }

  /**
   * The content of files at that moment, if git knows it: of files that were clean, and of those that did not exist.
   * @param maxBytes of all together; the largest files beyond it stay unknown.
   */
  async contents(files: readonly string[], maxBytes = MAX_GIT_OUTPUT): Promise<Map<string, GitContent>> {
    const result = new Map<string, GitContent>(files.map((file) => [file, { kind: 'unknown' }]));
    const { commit } = this.told.head;
    const asked = new Map(
      files.flatMap((file) => (this.#isKnown(file) ? [[this.#relative(file), file] as const] : [])),
    );
    // Git knows nothing about an ignored file: it may have existed.
    const tell = (path: string, content: GitContent) => {
      if (content.kind !== 'absent' || !isAmong(path, this.told.ignored)) result.set(asked.get(path)!, content);
    };
    if (asked.size === 0) return result;
    // Before the first commit, no existing file was clean.
    if (commit === undefined) for (const path of asked.keys()) tell(path, { kind: 'absent' });
    else
      await this.git
        .use(this.told.head, async (run) => {
          const { contentsOf } = await import('./gitContents');
          await contentsOf(run, commit, [...asked.keys()], this.git, maxBytes, tell);
        })
        .catch((error: unknown) =>
          this.git.log.warn(`${this.root}: git could not tell what ${asked.size} files held: ${String(error)}`),
        );
    if (this.git.ignoresCase) {
      const { tellRenamed } = await import('./otherCase');
      const committed = () => (this.#committed ??= this.filesUnder([this.root]));
      await tellRenamed(result, committed, (some) => this.contents(some));
    }
    return result;
  }

  /** The files that folders had in the commit, for deleted folders. Absolute. */
  async filesUnder(folders: readonly string[]): Promise<string[]> {
    const { commit } = this.told.head;
    if (commit === undefined || folders.length === 0) return [];
    const places = folders
      .map((folder) => (folder === this.root ? this.prefix : `${this.#relative(folder)}/`))
      .filter((place) => place !== '');
    const listed = await this.git
      .use(this.told.head, (run) =>
        run([
          'ls-tree',
          '-r',
          '-z',
          '--name-only',
          '--full-tree',
          commit,
          ...(places.length < folders.length ? [] : ['--', ...places]),
        ]),
      )
      .catch(() => undefined);
    return (listed?.toString('utf8').split('\0') ?? [])
      .filter((path) => path !== '')
      .map((path) => this.#absolute(path));
  }

  /**
   * True if git knows a file's content: it was clean or did not exist, in this repository, and git takes its path
   * literally.
   */
  #isKnown(file: string): boolean {
    const path = nodePath.relative(this.root, file);
    if (
      path === '' ||
      path.startsWith('..') ||
      nodePath.isAbsolute(path) ||
      /[\n\r]/.test(path) ||
      path.split(nodePath.sep).includes('.git')
    )
      return false;
    const { notClean, unwatched } = this.told;
    return ![notClean, unwatched].some((paths) => isAmong(this.#relative(file), paths));
  }

  #files(paths: ReadonlySet<string>): string[] {
    return [...paths].flatMap((path) =>
      path.startsWith(this.prefix) && !path.endsWith('/') ? [this.#absolute(path)] : [],
    );
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

/** True if a path or one of its folders is in the set. */
function isAmong(path: string, paths: ReadonlySet<string> | undefined): boolean {
  if (!paths || paths.size === 0) return false;
  if (paths.has(path)) return true;
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (paths.has(path.slice(0, end + 1))) return true;
  return false;
}

async function ignoredIn(run: RunGit, prefix: string): Promise<ReadonlySet<string>> {
  const listed = await run([
    'ls-files',
    '--others',
    '--ignored',
    '--exclude-standard',
    '--directory',
    '-z',
    ...below(prefix),
  ]);
  return new Set(
    listed
      .toString('utf8')
      .split('\0')
      .filter((path) => path !== ''),
  );
}

function statusOf(run: RunGit, prefix: string): Promise<Buffer> {
  return run([
    'status',
    '--porcelain=v2',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    '--ignore-submodules=all',
    ...below(prefix),
  ]);
}

/**
 * Reads `git status --porcelain=v2 -z --no-renames`: all paths that are not clean, relative to the repository. A path
 * with a final slash is a folder without further details.
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

/**
 * Reads `git ls-files -v -s -z`: the files with the flags skip-worktree (`S`) or assume-unchanged (a lower-case
 * letter), and the folders of submodules, with a final slash.
 */
export function parseIndex(output: Buffer): {
  readonly unwatched: ReadonlySet<string>;
  readonly links: ReadonlySet<string>;
} {
  const [unwatched, links] = [new Set<string>(), new Set<string>()];
  for (const line of output.toString('utf8').split('\0')) {
    const [, tag, mode, path] = /^(\S) (\d+) \S+ \d\t([^]+)$/.exec(line) ?? [];
    if (mode === '160000') links.add(`${path!}/`);
    else if (tag !== undefined && /[Sa-z]/.test(tag)) unwatched.add(path!);
  }
  return { unwatched, links };
}
