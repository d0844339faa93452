import { readdir, realpath } from 'node:fs/promises';
import nodePath from 'node:path';
import { asObject } from '../base/decode';
import { inGroups } from '../base/inGroups';
import { GitBaseline } from './gitBaseline';
import type { GitContent } from './gitContents';
import { repositoriesBelow } from './gitFolders';
import { isWithin } from './isWithin';
import type { PinnedGitOptions } from './pinnedGit';

/** The most repositories read in one folder; the files of further ones stay unknown. */
const MAX_REPOSITORIES = 64;
const ASK_AT_ONCE = 4;

type Options = Omit<PinnedGitOptions, 'env'>;

/**
 * A folder's files as git knew them at one moment, each by its own repository: the one around the folder, submodules,
 * and repositories in the folder, tracked by another one or not. All are read with the same care (`PinnedGit`).
 */
export class GitBaselines {
  private constructor(
    private readonly root: string,
    /** The repository around the folder. */
    private readonly around: GitBaseline | undefined,
    /** The inner repositories by folder; undefined if the files there are unknown. */
    private readonly inner: ReadonlyMap<string, GitBaseline | undefined>,
  ) {}

  /**
   * Takes the state of all repositories now.
   * @param root absolute folder.
   * @param isLeftOut folders that are not searched for repositories, if none is around `root`.
   */
  static async take(
    root: string,
    env: NodeJS.ProcessEnv,
    options: Options = {},
    isLeftOut: (folder: string) => Promise<boolean> = async () => false,
  ): Promise<GitBaselines> {
    const around = await GitBaseline.take(root, env, options);
    const inner = new Map<string, GitBaseline | undefined>();
    // A git program inside the workspace must not be used for a repository in it.
    const within = { ...options, notWithin: [root, ...(options.notWithin ?? [])] };
    for (let open = around ? around.inner : await repositoriesBelow(root, isLeftOut); open.length > 0;) {
      const asked = open.slice(0, Math.max(0, MAX_REPOSITORIES - inner.size));
      for (const folder of open.slice(asked.length)) inner.set(folder, undefined);
      const found: (readonly string[])[] = [];
      await inGroups(
        asked,
        async (folder) => {
          const baseline = await GitBaseline.take(folder, env, within);
          const isOwn = baseline?.top === (await realpath(folder).catch(() => undefined));
          // A submodule that was not fetched has no repository and no files.
          if (!isOwn && (await isEmpty(folder))) return;
          inner.set(folder, isOwn ? baseline : undefined);
          if (isOwn) found.push(baseline!.inner.filter((other) => !inner.has(other)));
        },
        ASK_AT_ONCE,
      );
      open = found.flat();
    }
    return new GitBaselines(root, around, inner);
  }

  /** The state as JSON, for `resume`; undefined if there is no repository. */
  get state(): unknown {
    if (!this.around && this.inner.size === 0) return undefined;
    return {
      around: this.around?.state,
      inner: [...this.inner].map(([folder, baseline]) => [nodePath.relative(this.root, folder), baseline?.state]),
    };
  }

  /** Restores a state that was taken earlier. */
  static async resume(root: string, env: NodeJS.ProcessEnv, options: Options, state: unknown): Promise<GitBaselines> {
    const { around, inner } = asObject(state);
    const within = { ...options, notWithin: [root, ...(options.notWithin ?? [])] };
    const found = new Map<string, GitBaseline | undefined>();
    for (const [name, known] of (Array.isArray(inner) ? inner : []).slice(0, MAX_REPOSITORIES) as [
      unknown,
      unknown,
    ][]) {
      const folder = nodePath.resolve(root, String(name));
      if (isWithin(folder, root) && folder !== root)
        found.set(folder, known ? await GitBaseline.resume(folder, env, within, known) : undefined);
    }
    return new GitBaselines(root, around ? await GitBaseline.resume(root, env, options, around) : undefined, found);
  }

  /** True if a repository is around the folder: then git knows all files in it. */
  get isInRepository(): boolean {
    return this.around !== undefined;
  }

  /** The tops of repositories in the folder, absolute. */
  get tops(): readonly string[] {
    return [...this.inner.keys()];
  }

  /** True if a file belongs to a repository, even to an unreadable one. */
  covers(file: string): boolean {
    return this.around !== undefined || this.#innerOf(file) !== undefined;
  }

  /** True if the ignored files in the repository of a file are known. */
  knowsIgnored(file: string): boolean {
    const folder = this.#innerOf(file);
    return (folder === undefined ? this.around : this.inner.get(folder))?.ignored !== undefined;
  }

  /** See `GitBaseline.changedFiles`. */
  get changedFiles(): string[] {
    return this.#all.flatMap((baseline) => baseline.changedFiles);
  }

  /** See `GitBaseline.ignored`; without repositories that could not list them. */
  get ignored(): readonly { readonly path: string; readonly isFolder: boolean }[] {
    return this.#all.flatMap((baseline) => baseline.ignored ?? []);
  }

  /** The files that are not clean now; a second look at the end of a turn finds changes without an event. */
  async changedNow(): Promise<string[]> {
    const found: string[][] = [];
    await inGroups(
      this.#all,
      async (baseline) => void found.push(await baseline.changedNow().catch(() => [])),
      ASK_AT_ONCE,
    );
    return found.flat();
  }

  /** The content of files at that moment, if git knows it. A file outside all repositories is missing in the answer. */
  async contents(files: readonly string[]): Promise<Map<string, GitContent>> {
    const result = new Map<string, GitContent>();
    const asked = new Map<GitBaseline, string[]>();
    for (const file of files) {
      const folder = this.#innerOf(file);
      const baseline = folder === undefined ? this.around : this.inner.get(folder);
      if (baseline) asked.set(baseline, [...(asked.get(baseline) ?? []), file]);
      else if (folder !== undefined) result.set(file, { kind: 'unknown' });
    }
    await inGroups(
      [...asked],
      async ([baseline, its]) => {
        for (const [file, content] of await baseline.contents(its)) result.set(file, content);
      },
      ASK_AT_ONCE,
    );
    return result;
  }

  /** The files that folders had in the commits, for deleted folders. Absolute. */
  async filesUnder(folders: readonly string[]): Promise<string[]> {
    const found: string[][] = [];
    const ask = async (baseline: GitBaseline | undefined, its: readonly string[]) =>
      void found.push(baseline && its.length > 0 ? await baseline.filesUnder(its) : []);
    await ask(
      this.around,
      folders.filter((folder) => this.#innerOf(folder) === undefined),
    );
    for (const [top, baseline] of this.inner)
      await ask(
        baseline,
        folders.some((folder) => isWithin(top, folder))
          ? [top]
          : folders.filter((folder) => this.#innerOf(folder) === top),
      );
    return found.flat();
  }

  get #all(): readonly GitBaseline[] {
    return [this.around, ...this.inner.values()].filter((baseline) => baseline !== undefined);
  }

  /** The nearest repository below the folder that contains a file. */
  #innerOf(file: string): string | undefined {
    if (this.inner.size === 0) return undefined;
    for (let folder = file; folder.length > this.root.length; folder = nodePath.dirname(folder))
      if (this.inner.has(folder)) return folder;
    return undefined;
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  return readdir(folder).then(
    (names) => names.length === 0,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  );
}
