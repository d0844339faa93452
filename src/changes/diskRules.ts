import { withLineFeeds } from './lineFeeds';

/** An open document as it stands. `isTyped`: the user has typed since it was last read from disk. */
export interface DocumentState {
  readonly text: string;
  readonly isDirty: boolean;
  readonly isTyped: boolean;
}

/** Earlier saves that an event may still be about: it comes late, and saves may follow each other fast. */
const MAX_SAVES = 4;
/** Clocks of disks tick this slowly at most. */
const SLACK_MS = 20;

/**
 * What the editor itself has put into files: saves, and files that the user made, moved or deleted in it. It decides
 * whose a content on disk is, so that nothing of the user's is ever taken for the agent's. Texts in any line ends.
 */
export class EditorWrites {
  readonly #saves = new Map<string, string[]>();
  /** When they were placed, epoch ms. */
  readonly #placed = new Map<string, number>();
  /** What was removed, and what was there again since, by a number that rises. */
  readonly #removed = new Map<string, number>();
  readonly #remade = new Map<string, number>();
  #count = 0;
  /** Files in what was placed that were looked at since. */
  readonly #looked = new Set<string>();

  /**
   * The editor wrote `text` to the file.
   * @param during what its document held while it was saved: any of these may be on disk, because the user types on.
   */
  saved(path: string, text: string, during: readonly string[] = []): void {
    const now = [...new Set([...during, text].map(withLineFeeds))];
    const others = (this.#saves.get(path) ?? []).filter((other) => !now.includes(other));
    this.#saves.set(path, [...others, ...now].slice(-MAX_SAVES - now.length + 1));
    this.#isThere(path);
  }

  /** A file was seen to hold this: a save before that one is not what makes it hold something else. */
  seen(path: string, text: string): void {
    const saves = this.#saves.get(path);
    const at = saves?.indexOf(withLineFeeds(text)) ?? -1;
    if (at > 0) saves!.splice(0, at);
  }

  /**
   * The user created a file or folder in the editor, or moved it to here. Holds for one look at each file that it had
   * then.
   * @param at epoch ms
   */
  created(path: string, at: number): void {
    this.#placed.set(path, at);
    this.#looked.delete(path);
    this.#isThere(path);
  }

  /**
   * We wrote the file ourselves, of which the editor tells as if the user had created it: from here on it is like any
   * other.
   */
  ours(path: string): void {
    this.#looked.add(path);
    this.#isThere(path);
  }

  /** The user deleted a file or folder in the editor, or moved it away. */
  deleted(path: string): void {
    this.#removed.set(path, ++this.#count);
    this.#saves.delete(path);
  }

  #isThere(path: string): void {
    if (this.#removed.size > 0) this.#remade.set(path, ++this.#count);
  }

  /**
   * Whether it was the editor that made a file what it is.
   * @param text what stands on disk; undefined where the file is gone.
   * @param document the open document of the file.
   * @param parents the folders that the file lies in.
   * @param changedAt when it became that, epoch ms; undefined where that is not known.
   */
  explains(
    path: string,
    text: string | undefined,
    document: DocumentState | undefined,
    parents: readonly string[],
    changedAt?: number,
  ): boolean {
    const own = [path, ...parents];
    if (text === undefined) return own.some((item) => (this.#removed.get(item) ?? 0) > (this.#remade.get(path) ?? 0));
    const now = withLineFeeds(text);
    if (this.#saves.get(path)?.includes(now)) return true;
    // A save that we have not heard of yet, or text that is not on disk at all.
    if (document && (document.isTyped || document.isDirty) && withLineFeeds(document.text) === now) return true;
    if (this.#looked.has(path)) return false;
    // What came into a folder later did not come with it.
    const isPlaced = own.some(
      (item) =>
        this.#placed.has(item) &&
        (item === path || changedAt === undefined || changedAt <= this.#placed.get(item)! + SLACK_MS),
    );
    if (!isPlaced) return false;
    this.#looked.add(path);
    return true;
  }
}

/**
 * One diff of a tool call. `oldText` null: the agent says that the file is new, which at least one says of any file it
 * overwrites.
 */
export interface SeenDiff {
  readonly oldText: string | null;
  readonly newText: string;
}

/**
 * The text before, where a diff shows the whole file: its new text is what stands there now. Several such diffs are
 * followed back to the first.
 * @param diffs of one file, in the order in which the calls came.
 */
export function beforeByWholeDiff(diffs: readonly SeenDiff[], after: string): string | undefined {
  let text = withLineFeeds(after);
  let found = false;
  for (const { oldText, newText } of [...diffs].reverse()) {
    // Nothing as the old text is how an insertion is sent, and a file that is new.
    if (oldText === null || oldText === '' || withLineFeeds(newText) !== text) continue;
    text = withLineFeeds(oldText);
    found = true;
  }
  return found ? text : undefined;
}

/**
 * The text before, where diffs show regions of the file: each is looked for and taken back, the last first. Undefined
 * where one of them is not there exactly once, because then it would be a guess.
 */
export function beforeByRegions(diffs: readonly SeenDiff[], after: string): string | undefined {
  if (diffs.length === 0) return undefined;
  let text = withLineFeeds(after);
  for (const { oldText, newText } of [...diffs].reverse()) {
    const fresh = withLineFeeds(newText);
    if (oldText === null || fresh === '') return undefined;
    const at = text.indexOf(fresh);
    if (at < 0 || text.includes(fresh, at + 1)) return undefined;
    text = text.slice(0, at) + withLineFeeds(oldText) + text.slice(at + fresh.length);
  }
  return text;
}

/**
 * Whether two states of git's configuration differ in nothing but what VS Code's own Git extension notes there: from
 * which branch another one comes (`branch.NAME.vscode-merge-base`). It does so when it hears of a new branch, whoever
 * has made that.
 */
export function differInBranchBases(before: string, after: string): boolean {
  return before !== after && withoutBases(before) === withoutBases(after);
}

function withoutBases(config: string): string {
  const lines = config
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^\s*vscode-merge-base\s*=[^\\]*$/.test(line));
  // A branch of which nothing else is said is as good as none.
  return lines
    .filter((line, i) => !(isBranch(line) && (lines[i + 1] === undefined || lines[i + 1]!.trimStart().startsWith('['))))
    .join('\n');
}

function isBranch(line: string): boolean {
  return /^\[branch "[^\]]*"\]$/.test(line.trim());
}
