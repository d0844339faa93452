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
  /** Number of the first row in `rows`, counted from the start of all output; rows before it are not here. */
  readonly firstRow: number;
  readonly rows: readonly TerminalRow[];
  readonly running: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
  /** The user ended it. */
  readonly stopped?: true;
  /** True where a native terminal can be opened on it. False for output that the agent itself ran. */
  readonly canOpen: boolean;
  /** The agent takes a request to end the command. */
  readonly canCancel?: boolean;
  /** It has been quiet for a while and what stands there reads like a question to the user. */
  readonly waitsForInput?: boolean;
  /** Said in the card when something is less than usual ("No pseudo-terminal: colours and input may be missing"). */
  readonly remark?: string;
  readonly durationMs?: number;
}
