export interface HunkView {
  /** From 1; both are 0 if the lines are unknown. */
  readonly oldStart: number;
  readonly newStart: number;
  /** As in a unified diff: the sign " ", "+" or "-", and the text. */
  readonly lines: readonly string[];
}

/** The texts of one side of a hunk. @param without the sign of the other side */
export function sideOf({ lines }: HunkView, without: '+' | '-'): string[] {
  return lines.flatMap((line) => (line[0] === without ? [] : [line.slice(1)]));
}

export interface DiffView {
  readonly type: 'diff';
  readonly path: string;
  readonly label: string;
  /** True if the agent says that the file did not exist. */
  readonly isNew: boolean;
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly HunkView[];
  /** True if hunks were left out because the diff is large; the diff editor shows all of it. */
  readonly truncated: boolean;
  /** The change besides the lines, in words: "Deleted", "Moved from a.ts", or that the agent did not send the lines. */
  readonly remark?: string;
  /** Set if there is no diff of two texts to open. */
  readonly opens?: 'file' | 'nothing';
  /** Read from a patch in the raw input, which may not be all that the call does. */
  readonly isFromInput?: true;
}
