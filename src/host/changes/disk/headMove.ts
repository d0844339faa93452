import type { SeenCommit } from '../../../changes/autoKeepRules';

/** More commits than these at once are not looked at. */
const MAX_COMMITS = 50;

/** What of a repository is read; each is a run of git. */
export interface CommitReader {
  /** @returns undefined where the commit holds no such file. @throws Error where that cannot be told. */
  show(hash: string, path: string): Promise<string | undefined>;
  /** @throws Error where there is no such commit. */
  getCommit(
    hash: string,
  ): Promise<{ readonly hash: string; readonly parents: readonly string[]; readonly commitDate?: Date }>;
}

/** HEAD of a repository has moved from one commit to another. */
export interface HeadMove {
  readonly root: string;
  /** The commits that are new in it, by their first parents, the newest first. */
  readonly commits: readonly SeenCommit[];
  /**
   * Whether the newest `own` commits have brought it about that a file holds `text` (undefined: is gone): HEAD has it
   * so, and neither what they lie on nor any earlier HEAD that is known had.
   */
  readonly holds: (path: string, text: string | undefined, own: number) => Promise<boolean>;
}

/**
 * Reads what a move of HEAD has brought.
 * @param earlier commits at which HEAD stood before: when it was seen last, and at the end of the last turn.
 */
export async function readHeadMove(
  root: string,
  reader: CommitReader,
  head: string,
  earlier: readonly string[],
): Promise<HeadMove> {
  const commits: (SeenCommit & { readonly parents: readonly string[] })[] = [];
  for (
    let ref: string | undefined = head;
    ref !== undefined && !earlier.includes(ref) && commits.length < MAX_COMMITS;
  ) {
    const commit: Awaited<ReturnType<CommitReader['getCommit']>> | undefined = await reader
      .getCommit(ref)
      .catch(() => undefined);
    commits.push({
      committedAt: commit?.commitDate?.getTime(),
      isMerge: (commit?.parents.length ?? 0) > 1,
      parents: commit?.parents ?? [],
    });
    ref = commit?.parents[0];
  }
  // What cannot be told is null, which no text and no missing file is equal to.
  const read = (hash: string, path: string) =>
    reader.show(hash, path).then(
      (text) => (text === undefined ? undefined : plain(text)),
      () => null,
    );
  return {
    root,
    commits,
    holds: async (path, text, own) => {
      const last = commits[own - 1];
      const wanted = text === undefined ? undefined : plain(text);
      if (!last || (await read(head, path)) !== wanted) return false;
      const bases = new Set([...last.parents, ...earlier]);
      for (const base of bases) {
        const before = await read(base, path);
        if (before === null || before === wanted) return false;
      }
      // A file that no commit ever had was not taken away by one.
      return wanted !== undefined || bases.size > 0;
    },
  };
}

/** Git gives the bytes as they are committed, an editor text without mark and with its own line ends. */
function plain(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
