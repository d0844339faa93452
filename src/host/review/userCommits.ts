/** At most this many commits are read. */
const MAX_COMMITS = 50;
/** Git stores whole seconds, so a commit up to this long after a turn may have been made during the turn. */
const COMMIT_MARGIN_MS = 1_000;

/** Reads a repository; each call runs git. */
export interface CommitReader {
  /** @returns undefined if the commit has no such file. @throws Error if that cannot be found out. */
  show(hash: string, path: string): Promise<string | undefined>;
  /** @throws Error if there is no such commit. */
  getCommit(hash: string): Promise<{ readonly parents: readonly string[]; readonly commitDate?: Date }>;
}

/**
 * True if the user's commits gave a file the content `text` (undefined: deleted it): HEAD has it, and neither their
 * parents nor any earlier known HEAD had it.
 */
export type IsCommitted = (path: string, text: string | undefined) => Promise<boolean>;

/**
 * Reads the newest commits that the user made after the last turn. A time in the future cannot be trusted, and a merge
 * brings the commits of others.
 * @param earlier earlier commits of HEAD
 * @param lastRan when an agent worked last, epoch ms
 * @returns undefined if there are none
 */
export async function readUserCommits(
  reader: CommitReader,
  head: string,
  earlier: readonly string[],
  { lastRan, now }: { readonly lastRan: number; readonly now: number },
): Promise<IsCommitted | undefined> {
  let oldest: Awaited<ReturnType<CommitReader['getCommit']>> | undefined;
  let next: string | undefined = head;
  for (let i = 0; next !== undefined && !earlier.includes(next) && i < MAX_COMMITS; i++) {
    const commit: typeof oldest = await reader.getCommit(next).catch(() => undefined);
    const at = commit?.commitDate?.getTime() ?? Number.NaN;
    if (!commit || commit.parents.length > 1 || !(at > lastRan + COMMIT_MARGIN_MS && at <= now)) break;
    oldest = commit;
    next = commit.parents[0];
  }
  if (!oldest) return undefined;
  const bases = new Set([...oldest.parents, ...earlier]);
  // An unknown text is null, which equals neither a text nor a missing file.
  const read = (hash: string, path: string) =>
    reader.show(hash, path).then(
      (text) => (text === undefined ? undefined : plain(text)),
      () => null,
    );
  return async (path, text) => {
    const wanted = text === undefined ? undefined : plain(text);
    if ((await read(head, path)) !== wanted) return false;
    for (const base of bases) {
      const before = await read(base, path);
      if (before === null || before === wanted) return false;
    }
    // A file that no commit ever had cannot have been deleted by one.
    return wanted !== undefined || bases.size > 0;
  };
}

/** Git returns the committed bytes; an editor returns text without a byte order mark and with its own line ends. */
function plain(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
