import { withLineFeeds } from './lineFeeds';

/** The present state of an open document. `isTyped`: the user has typed since it was last read from disk. */
export interface DocumentState {
  readonly text: string;
  readonly isDirty: boolean;
  readonly isTyped: boolean;
}

/** Events come late and saves may follow each other fast, so an event may be about one of these earlier saves. */
const MAX_SAVES = 4;
/** The clock of a file system advances at least this often. */
const SLACK_MS = 20;

/**
 * The editor's own writes: saves, and files that the user made, moved or deleted in it. They tell whether a content on
 * disk is the user's, so that it is never attributed to the agent. Texts may have any line ends.
 */
export class EditorWrites {
  readonly #saves = new Map<string, string[]>();
  /** Times at which files and folders were placed, epoch ms. */
  readonly #placed = new Map<string, number>();
  /** Removed paths, and paths that exist again since, each by a rising number. */
  readonly #removed = new Map<string, number>();
  readonly #remade = new Map<string, number>();
  #count = 0;
  /** Files in placed folders that were checked since. */
  readonly #looked = new Set<string>();

  /**
   * The editor wrote `text` to the file.
   * @param during texts of the document during the save: the user types on, so any of them may be on disk.
   */
  saved(path: string, text: string, during: readonly string[] = []): void {
    const now = [...new Set([...during, text].map(withLineFeeds))];
    const others = (this.#saves.get(path) ?? []).filter((other) => !now.includes(other));
    this.#saves.set(path, [...others, ...now].slice(-MAX_SAVES - now.length + 1));
    this.#isThere(path);
  }

  /** A file was seen with this text, so a save before that one cannot explain a later text. */
  seen(path: string, text: string): void {
    const saves = this.#saves.get(path);
    const at = saves?.indexOf(withLineFeeds(text)) ?? -1;
    if (at > 0) saves!.splice(0, at);
  }

  /**
   * The user created a file or folder in the editor, or moved it here. This explains one look at each file that existed
   * in it then.
   * @param at epoch ms
   */
  created(path: string, at: number): void {
    this.#placed.set(path, at);
    this.#looked.delete(path);
    this.#isThere(path);
  }

  /**
   * Parley wrote the file itself. The editor reports this like a file that the user created, so that report is ignored.
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
   * True if the editor, and not the agent, gave a file its present content.
   * @param text the text on disk; undefined if the file is gone.
   * @param document the open document of the file.
   * @param parents the folders that contain the file.
   * @param changedAt when the file changed, epoch ms; undefined if that is not known.
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
    // A save that was not reported yet, or text that is not on disk at all.
    if (document && (document.isTyped || document.isDirty) && withLineFeeds(document.text) === now) return true;
    if (this.#looked.has(path)) return false;
    // A file that was added to the folder later was not placed with it.
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
 * One diff of a tool call. `oldText` null: the agent reports a new file. At least one agent reports that for any file
 * that it overwrites.
 */
export interface SeenDiff {
  readonly oldText: string | null;
  readonly newText: string;
}

/**
 * Finds the text before a diff that shows the whole file: its new text equals the present text. Follows several such
 * diffs back to the first.
 * @param diffs of one file, in the order of the calls.
 */
export function beforeByWholeDiff(diffs: readonly SeenDiff[], after: string): string | undefined {
  let text = withLineFeeds(after);
  let found = false;
  for (const { oldText, newText } of [...diffs].reverse()) {
    // An empty old text may mean an insertion as well as a new file, so it proves nothing.
    if (oldText === null || oldText === '' || withLineFeeds(newText) !== text) continue;
    text = withLineFeeds(oldText);
    found = true;
  }
  return found ? text : undefined;
}

/**
 * Finds the text before diffs that show regions of the file: reverses each, the last first. Undefined if a region does
 * not occur exactly once, because the result would be a guess.
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
 * True if two git configurations differ only in `branch.NAME.vscode-merge-base`. VS Code's Git extension writes that
 * entry whenever it hears of a new branch, whoever made the branch.
 */
export function differInBranchBases(before: string, after: string): boolean {
  return before !== after && withoutBases(before) === withoutBases(after);
}

function withoutBases(config: string): string {
  const lines = config
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^\s*vscode-merge-base\s*=[^\\]*$/.test(line));
  // A branch without any other entry counts as absent.
  return lines
    .filter((line, i) => !(isBranch(line) && (lines[i + 1] === undefined || lines[i + 1]!.trimStart().startsWith('['))))
    .join('\n');
}

function isBranch(line: string): boolean {
  return /^\[branch "[^\]]*"\]$/.test(line.trim());
}
