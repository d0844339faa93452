export interface DiffLineView {
  readonly kind: 'context' | 'add' | 'remove';
  readonly text: string;
  /** What differs from the line on the other side, as places in the text from and to. Absent where all of it does. */
  readonly words?: readonly (readonly [from: number, to: number])[];
}

export interface HunkView {
  /** From 1; both are 0 where nobody knows the lines. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLineView[];
}

export interface DiffView {
  readonly type: 'diff';
  readonly path: string;
  readonly label: string;
  /** True where the agent says that the file did not exist. */
  readonly isNew: boolean;
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly HunkView[];
  /** True where hunks were left out because the diff is large; the diff editor shows all of it. */
  readonly truncated: boolean;
  /** What became of the file besides its lines, in words: "Deleted", "Moved from a.ts", or that the agent did not send the lines. */
  readonly remark?: string;
  /** What can be opened where there is no diff of two texts to open. */
  readonly opens?: 'file' | 'nothing';
  /** Read from a patch in the raw input: the agent did not say that it is all that the call does. */
  readonly isFromInput?: true;
}
