import type { SeenCommit } from '../../../changes/autoKeepRules';

/** A move reads at most this many commits. */
const MAX_COMMITS = 50;

/** Reads a repository; each call runs git. */
export interface CommitReader {
  /** @returns undefined if the commit has no such file. @throws Error if that cannot be found out. */
  show(hash: string, path: string): Promise<string | undefined>;
  /** @throws Error if there is no such commit. */
  getCommit(
    hash: string,
  ): Promise<{ readonly hash: string; readonly parents: readonly string[]; readonly commitDate?: Date }>;
}

/** HEAD of a repository has moved from one commit to another. */
export interface HeadMove {
  readonly root: string;
  /** The new commits, by their first parents, the newest first. */
  readonly commits: readonly SeenCommit[];
  /**
   * True if the newest `own` commits gave a file the content `text` (undefined: deleted it): HEAD has it, and neither
   * their parents nor any earlier known HEAD had it.
   */
  readonly holds: (path: string, text: string | undefined, own: number) => Promise<boolean>;
}

/**
 * Reads the commits of a move of HEAD.
 * @param earlier earlier commits of HEAD: when it was last seen, and at the end of the last turn.
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
  // An unknown text is null, which equals neither a text nor a missing file.
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
      // A file that no commit ever had cannot have been deleted by one.
      return wanted !== undefined || bases.size > 0;
    },
  };
}

/** Git returns the committed bytes; an editor returns text without a byte order mark and with its own line ends. */
function plain(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
