/** One run of characters with the same look. `classes` are space-separated names such as `b fg-2`; never a style. */
export interface TerminalRun {
  readonly text: string;
  readonly classes?: string;
  /** `#rrggbb` for true-colour text; applied through CSSOM, never as an inline style attribute. */
  readonly fg?: string;
  readonly bg?: string;
}

export type TerminalRow = readonly TerminalRun[];

export interface TerminalView {
  readonly terminalId: string;
  readonly command?: string;
  /** Number of the first row in `rows`, counted from the start of all output; earlier rows are left out. */
  readonly firstRow: number;
  readonly rows: readonly TerminalRow[];
  readonly running: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
  /** The user ended the command. */
  readonly stopped?: true;
  /** True if a native terminal can show it. False for output of commands that the agent itself ran. */
  readonly canOpen: boolean;
  /** The agent accepts a request to cancel the command. */
  readonly canCancel?: boolean;
  /** It has been quiet for a while, and its last output looks like a question to the user. */
  readonly waitsForInput?: boolean;
  /** A limitation that the card mentions ("No pseudo-terminal: colours and input may be missing"). */
  readonly remark?: string;
  readonly durationMs?: number;
}
