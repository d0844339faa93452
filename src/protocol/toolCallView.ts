import type { ContentView } from './contentView';
import type { DiffView } from './diffView';
import type { EntryId } from './entryId';
import type { MoreView } from './longList';
import type { PermissionView } from './permissionView';

export type ToolKindView =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'think'
  | 'fetch'
  | 'switch_mode'
  | 'other';

/**
 * `waiting` = needs a permission; `cancelled` is the agent's word. `stopped` (the user pressed Stop), `blocked` (the
 * agent itself blocked it), `rejected` (the user rejected it) and `unfinished` (the agent never reported its end) exist
 * only in the client.
 */
export type ToolStatusView =
  | 'pending'
  | 'running'
  | 'paused'
  | 'waiting'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'stopped'
  | 'blocked'
  | 'unfinished'
  | 'rejected';

export interface LocationView {
  /** Absolute path, or the agent's own spelling if it is relative and no root applies. */
  readonly path: string;
  /** Path to show, relative to the session's folder if it is inside. */
  readonly label: string;
  readonly line?: number;
  readonly endLine?: number;
  /** A pattern, or a path of another system, that cannot be opened. */
  readonly isNoFile?: true;
}

export type ToolContentView =
  | { readonly type: 'content'; readonly content: ContentView }
  | DiffView
  /** Refers to `TerminalView.terminalId`; the terminal may arrive later than the card. */
  | {
      readonly type: 'terminal';
      readonly terminalId: string;
      /** There is no terminal: the agent sent what the command said as text. */ readonly output?: CommandOutputView;
    };

export interface CommandOutputView {
  readonly lines: readonly string[];
  /** The number of earlier lines that are left out. */
  readonly firstLine: number;
  readonly exitCode?: number;
  readonly signal?: string;
  /** It failed without an exit code. */
  readonly failed?: true;
}

export interface ToolCallView {
  readonly kind: 'toolCall';
  readonly id: EntryId;
  readonly title: string;
  /** The agent's internal tool name, a secondary label. */
  readonly name?: string;
  readonly toolKind: ToolKindView;
  readonly status: ToolStatusView;
  /** The user pressed Stop while it ran, whatever status the agent sent later. */
  readonly wasStopped?: true;
  readonly locations: readonly LocationView[];
  /** For locations and content. */
  readonly more?: MoreView<'locations' | 'content'>;
  readonly content: readonly ToolContentView[];
  /** The whole shell command, if the call runs one and names it. */
  readonly command?: string;
  /** Working directory of the command, for showing, if known. */
  readonly cwd?: string;
  /** Pretty-printed and bounded; absent when there is none. */
  readonly input?: string;
  readonly output?: string;
  /** The agent accepts a request to cancel only this call. */
  readonly canCancel?: boolean;
  /** The first command or change of an agent that asked for nothing and has no mode. */
  readonly wasUnasked?: true;
  /** It stands for a subagent with a session of its own. */
  readonly isSubagent?: true;
  /** Tokens in the context of that subagent, if the agent tells. */
  readonly tokens?: number;
  /** Its command goes on after the call has ended. */
  readonly isBackground?: true;
  /** Pending permission requests, oldest first. */
  readonly permissions: readonly PermissionView[];
  /** The last choice for this call ("Allow once"), for the record. */
  readonly decision?: string;
  /** The content that the choice was about, as one text. */
  readonly decidedOn?: string;
  /** The call's content has changed since the choice. */
  readonly decidedOnOther?: true;
  /** The user's rule that made the choice, as a sentence; absent if the user chose. */
  readonly decidedBy?: string;
  /** The decision comes from an imported file, not from Parley. */
  readonly isQuoted?: true;
  readonly startedAt: number;
  /**
   * The start of its clock if it waited for the user: later by the time of waiting, which `durationMs` leaves out, too.
   */
  readonly runsSince?: number;
  readonly durationMs?: number;
  /** The call of the subagent that makes this one. */
  readonly parentId?: EntryId;
}
