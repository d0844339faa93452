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
 * `waiting` = asks for permission; `cancelled` is the agent's word. `stopped` (the user pressed Stop), `blocked`
 * (something of the agent's did not let it run), `rejected` (the user did not) and `unfinished` (the agent never said
 * how it ended) exist only in the client.
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
  /** Absolute path, or the agent's own spelling where it was not absolute and no root could be applied. */
  readonly path: string;
  /** Path relative to the session's folder where it lies inside, for showing. */
  readonly label: string;
  readonly line?: number;
  readonly endLine?: number;
  /** A pattern or a path of another system: nothing can be opened there. */
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
  /** How many lines before these are not here. */
  readonly firstLine: number;
  readonly exitCode?: number;
  readonly signal?: string;
  /** It failed, and no exit code says how. */
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
  /** The user pressed Stop while it ran, whatever the agent said of it then. */
  readonly wasStopped?: true;
  readonly locations: readonly LocationView[];
  /** Of locations and content. */
  readonly more?: MoreView<'locations' | 'content'>;
  readonly content: readonly ToolContentView[];
  /** The whole shell command, where the call runs one and says so. */
  readonly command?: string;
  /** Working directory of the command, for showing, where known. */
  readonly cwd?: string;
  /** Pretty-printed and bounded; absent when there is none. */
  readonly input?: string;
  readonly output?: string;
  /** The agent takes a request to cancel just this call. */
  readonly canCancel?: boolean;
  /** The first command or change of an agent that asked for nothing and has no mode. */
  readonly wasUnasked?: true;
  /** Questions that wait for the user, oldest first. */
  readonly permissions: readonly PermissionView[];
  /** What was chosen last on this call ("Allow once"), for the record. */
  readonly decision?: string;
  /** What it was chosen for, in one text. */
  readonly decidedOn?: string;
  /** The call says something else by now. */
  readonly decidedOnOther?: true;
  /** Which of the user's rules chose it, as a sentence; absent where the user did. */
  readonly decidedBy?: string;
  /** An imported file says what was decided: it was not decided here. */
  readonly isQuoted?: true;
  readonly startedAt: number;
  /**
   * From when its clock counts where it waited for the user: later by that time, which is not in `durationMs` either.
   */
  readonly runsSince?: number;
  readonly durationMs?: number;
  /** The call of the subagent that makes this one. */
  readonly parentId?: EntryId;
}
