import nodePath from 'node:path';
import type { GitHead } from './gitFolders';
import { entriesOf } from './gitTree';
import { PinnedGit, type PinnedGitOptions } from './pinnedGit';

/** Larger files are not compared. Bytes. */
const MAX_FILE = 16 * 1024 * 1024;
const NAME = /^[0-9a-f]{40,64}$/;

/** A commit as git stores it. `hash` and `parents` are whole names. */
export interface PinnedCommit {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly commitDate?: Date;
}

/** Reads the commits of a repository, and nothing else of it (`PinnedGit`). */
export class PinnedCommits {
  private constructor(
    private readonly git: PinnedGit,
    private readonly root: string,
    private readonly prefix: string,
  ) {}

  /** @param root absolute folder of a repository. @returns undefined if it cannot be read. */
  static async open(root: string, options: PinnedGitOptions): Promise<PinnedCommits | undefined> {
    const git = await PinnedGit.open(root, options);
    const prefix = await git?.prefixOf(root).catch(() => undefined);
    return git && prefix !== undefined ? new PinnedCommits(git, root, prefix) : undefined;
  }

  /** The current HEAD. */
  head(): Promise<GitHead | undefined> {
    return this.git.head();
  }

  /**
   * The text of a file in a commit, its bytes decoded as UTF-8.
   * @param hash of the commit. @param path absolute.
   * @returns undefined if the commit has no such file. @throws Error if that is unknown.
   */
  async show(hash: string, path: string): Promise<string | undefined> {
    const name = nodePath.posix.join(this.prefix, nodePath.relative(this.root, path).split(nodePath.sep).join('/'));
    return this.git.use({ commit: checked(hash) }, async (run) => {
      const entry = (await entriesOf(run, hash, [name])).get(name);
      return entry && (await run(['cat-file', 'blob', entry.oid], { maxBytes: MAX_FILE })).toString('utf8');
    });
  }

  /** @throws Error if there is no such commit. */
  async getCommit(hash: string): Promise<PinnedCommit> {
    const text = (await this.git.use({ commit: checked(hash) }, (run) => run(['cat-file', 'commit', hash]))).toString(
      'utf8',
    );
    const head = text.slice(0, text.indexOf('\n\n'));
    const [, seconds] = /^committer .* (\d+) [+-]\d+$/m.exec(head) ?? [];
    return {
      hash,
      parents: [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1]!),
      ...(seconds === undefined ? {} : { commitDate: new Date(Number(seconds) * 1_000) }),
    };
  }
}

function checked(hash: string): string {
  if (!NAME.test(hash)) throw new Error(`${hash} is not the name of a commit`);
  return hash;
}
