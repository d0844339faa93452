import type { AgentNoticeView } from './agentNoticeView';
import type { AttachmentView, PromptCapabilitiesView } from './attachments';
import type { FileStateView, NotesView } from './notesView';
import type { UsageView } from './usageView';
import type { OptionView } from './optionView';
import type { SetupView } from './setupView';
import type { SignInView } from './signInView';

/**
 * What the panel shows, as JSON values. The host projects its state into these types (`src/view`), the webview draws
 * them. Nothing here is an ACP type: the wire may change without the view noticing, and the other way round.
 *
 * Units: times are milliseconds; `…At` are epoch milliseconds; line numbers are 1-based; sizes are bytes.
 */

import type { ElicitationView, FormValues } from './formView';

/** Identifies one entry of one thread. Opaque: ours, stable for the life of the thread, never an array index. */
export type EntryId = string;

/** One piece of what a person or an agent said. Agent text is Markdown and hostile until sanitised. */
export type ContentView =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string; readonly uri?: string }
  | { readonly type: 'audio'; readonly mimeType: string; readonly data: string }
  /** `text` is absent for binary resources and bounded for large ones. */
  | { readonly type: 'resource'; readonly uri: string; readonly label: string; readonly mimeType?: string; readonly text?: string }
  | { readonly type: 'resourceLink'; readonly uri: string; readonly label: string; readonly description?: string; readonly size?: number }
  /** A block kind this version does not know; `kind` is the agent's word for it. */
  | { readonly type: 'unknown'; readonly kind: string };

export interface UserMessageView {
  readonly kind: 'userMessage';
  readonly id: EntryId;
  readonly content: readonly ContentView[];
  /** True after a refusal: this prompt and what followed are not part of the agent's context any more. */
  readonly dropped: boolean;
  /** When it was sent; names its checkpoint. */
  readonly sentAt?: number;
}

export interface AgentMessageView {
  readonly kind: 'agentMessage';
  readonly id: EntryId;
  readonly content: readonly ContentView[];
  /** True while further chunks may be appended to the last text. */
  readonly streaming: boolean;
  /** The call of the subagent that says this; its card stands above. */
  readonly parentId?: EntryId;
}

export interface ThoughtView {
  readonly kind: 'thought';
  readonly id: EntryId;
  readonly content: readonly ContentView[];
  readonly streaming: boolean;
  /** How long the agent thought, once that is known. */
  readonly durationMs?: number;
  readonly parentId?: EntryId;
}

export type ToolKindView = 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'switch_mode' | 'other';

/** `waiting` = asks for permission; `cancelled` is the agent's word or ours, `rejected` exists only in the client. */
export type ToolStatusView = 'pending' | 'running' | 'paused' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'rejected';

export interface LocationView {
  /** Absolute path, or the agent's own spelling where it was not absolute and no root could be applied. */
  readonly path: string;
  /** Path relative to the session's folder where it lies inside, for showing. */
  readonly label: string;
  readonly line?: number;
}

export interface DiffLineView {
  readonly kind: 'context' | 'add' | 'remove';
  readonly text: string;
}

export interface HunkView {
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
}

export type ToolContentView =
  | { readonly type: 'content'; readonly content: ContentView }
  | DiffView
  /** Refers to `TerminalView.terminalId`; the terminal may arrive later than the card. */
  | { readonly type: 'terminal'; readonly terminalId: string };

export type PermissionOptionKindView = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'other';

export interface PermissionOptionView {
  readonly optionId: string;
  /** The agent's own words, shown verbatim as text. */
  readonly name: string;
  readonly kind: PermissionOptionKindView;
}

export type RiskKind = 'privilege' | 'deletes' | 'forcePush' | 'outside' | 'guarded' | 'secret' | 'network';

export interface PermissionView {
  readonly requestId: string;
  readonly title: string;
  /** Why the agent asks, in its words. */
  readonly description?: string;
  /** The command that would run, where the question names it itself. */
  readonly command?: { readonly text: string; readonly cwd?: string };
  /** The commands that would run, one each and in order, where there are several and they could be told apart. */
  readonly steps?: readonly string[];
  /** Label of the folder in which the command runs, where it is told and not the session's own. */
  readonly cwd?: string;
  /** What to know before agreeing, the gravest first: short sentences in words. */
  readonly risks?: readonly { readonly kind: RiskKind; readonly text: string }[];
  /** The page that is asked for. */
  readonly url?: string;
  readonly options: readonly PermissionOptionView[];
}

export interface ToolCallView {
  readonly kind: 'toolCall';
  readonly id: EntryId;
  readonly title: string;
  /** The agent's internal tool name, a secondary label. */
  readonly name?: string;
  readonly toolKind: ToolKindView;
  readonly status: ToolStatusView;
  readonly locations: readonly LocationView[];
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
  /** Questions that wait for the person, oldest first. */
  readonly permissions: readonly PermissionView[];
  /** What was chosen last on this call ("Allow once"), for the record. */
  readonly decision?: string;
  /** Which of the person's rules chose it, as a sentence; absent where the person did. */
  readonly decidedBy?: string;
  readonly startedAt: number;
  readonly durationMs?: number;
  /** The call of the subagent that makes this one. */
  readonly parentId?: EntryId;
}

/** Where the agent put a summary in the place of what was said before. */
export interface CompactionView {
  readonly kind: 'compaction';
  readonly id: EntryId;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  /** The summary, which may be empty. */
  readonly content: readonly ContentView[];
  readonly error?: string;
  readonly startedAt: number;
}

export type NoticeAction = 'retry' | 'restart' | 'newSession' | 'editSettings' | 'showLog' | 'selectAgent' | 'forceStop' | 'signIn';

/** Something Parley itself says in the thread: how a turn ended, an error, a restart. */
export interface NoticeView {
  readonly kind: 'notice';
  readonly id: EntryId;
  readonly severity: 'info' | 'warning' | 'error';
  readonly title: string;
  /** Plain text, may have several lines (an error's details, a stderr tail). */
  readonly detail?: string;
  readonly actions: readonly NoticeAction[];
  /** Retry makes sense from then on; until then its button counts the time down. */
  readonly retryAt?: number;
}

export type EntryView = UserMessageView | AgentMessageView | ThoughtView | ToolCallView | CompactionView | NoticeView | ElicitationView;

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
  /** True where a native terminal can be opened on it. False for output that the agent itself ran. */
  readonly canOpen: boolean;
  /** The agent takes a request to end the command. */
  readonly canCancel?: boolean;
  /** It has been quiet for a while and what stands there reads like a question to the person. */
  readonly waitsForInput?: boolean;
  /** Said in the card when something is less than usual ("No pseudo-terminal: colours and input may be missing"). */
  readonly remark?: string;
  readonly durationMs?: number;
}

export interface PlanEntryView {
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
}

export interface CommandView {
  /** Without the leading slash. */
  readonly name: string;
  readonly description: string;
  /** Shown as ghost text after the name. */
  readonly hint?: string;
}

/** Changes that will be kept without a click: when (epoch milliseconds), or how much time is left (milliseconds) once nobody holds it. */
export type KeepCountdownView = { readonly endsAt: number } | { readonly remainingMs: number };

/** What one turn has changed and still waits; `turn` is the entry with which it began. */
export interface TurnChangesView {
  readonly turn: EntryId;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** What the person chooses where Undo could not be done: what stands there, what the agent wrote, or to see both first. */
export type ConflictChoice = 'mine' | 'agents' | 'both';

/** One file that the agent changed and the person has not yet agreed to. */
export interface ChangeView {
  readonly path: string;
  readonly label: string;
  /** `renamed`: from `from`, with the same content or changed since. */
  readonly kind: 'created' | 'modified' | 'deleted' | 'renamed';
  readonly added: number;
  readonly removed: number;
  /** Places that wait for a decision; 0 where the file as a whole is the change. */
  readonly hunks: number;
  /** Those of them that Undo left, because the person had edited the same lines. */
  readonly conflicts: number;
  /** Where it was before a rename, as `label`. */
  readonly from?: string;
  /** Why there are no lines to show, in a few words. */
  readonly note?: string;
  /** True where nobody knows how it was before. */
  readonly cannotUndo?: boolean;
  /** One of those that wait until the person decides on just this file (`parley.review.guard`). */
  readonly guarded?: boolean;
}

/** Changed files that are not in the list, because there are too many. */
export interface MoreChangesView {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Prompts sent from `from` to `to` (both included) can be restored to: the agent has changed files since. */
export interface CheckpointsView {
  readonly from: number;
  readonly to: number;
  /** `sentAt` of the prompt that was restored to, as long as Redo can take it back. */
  readonly restored?: number;
}

/** One line of the list of sessions. `key` is opaque. */
export interface SessionItemView {
  readonly key: string;
  readonly title: string;
  readonly agent: string;
  readonly updatedAt?: number;
  /** Name of the folder that it works in. */
  readonly folder: string;
  /** `stored`: only its record is here. `atAgent`: the agent lists it, nothing of it is here. */
  readonly state: 'waiting' | 'running' | 'unread' | 'open' | 'stored' | 'atAgent';
  readonly isCurrent: boolean;
  readonly canRename: boolean;
  readonly canDelete: boolean;
}

export interface SessionsView {
  /** Newest first. */
  readonly items: readonly SessionItemView[];
  /** An agent is being asked for its sessions. */
  readonly loading: boolean;
  readonly hasMore: boolean;
  readonly problem?: string;
}

/** A question that waits in a session out of sight. */
export interface WaitingElsewhereView {
  /** The session's. */
  readonly key: string;
  readonly agent: string;
  readonly title: string;
  /** Absent where the session waits for a sign-in. */
  readonly question?: PendingQuestionView;
}

/** A prompt that goes out when the running turn has ended. */
export interface QueuedPromptView {
  readonly id: string;
  readonly text: string;
}

/** A question of the agent that waits for the person. */
export interface PendingQuestionView {
  readonly requestId: string;
  readonly entryId: EntryId;
  readonly kind: 'permission' | 'elicitation';
  readonly title: string;
  readonly askedAt: number;
  /** What can be answered without the card. */
  readonly brief?: BriefView;
}

/** A permission in one line. */
export interface BriefView {
  /** The command on one line, or the title. */
  readonly text: string;
  readonly isCode: boolean;
  /** All that there is to know stands in `text`: a short command without risks. Anything else is allowed only after a look at its card. */
  readonly isWhole: boolean;
  /** The smaller yes and the smaller no, where the agent offers them. */
  readonly allow?: PermissionOptionView;
  readonly reject?: PermissionOptionView;
}

/** The state of the link to the agent; each has its own face in the panel. */
export type ConnectionView =
  /** Nothing runs and nothing was asked yet. The first prompt starts the agent. */
  | { readonly state: 'idle' }
  | { readonly state: 'restricted' }
  | { readonly state: 'noAgents' }
  /** `detail` says what is being done ("Starting npx …"); cancellable. */
  | { readonly state: 'starting'; readonly detail: string; readonly since: number }
  | { readonly state: 'ready' }
  | {
      readonly state: 'failed';
      readonly title: string;
      readonly detail: string;
      /** Last lines of stderr, where there are any. */
      readonly stderr?: string;
      readonly actions: readonly NoticeAction[];
    };

export interface TurnView {
  readonly running: boolean;
  readonly startedAt?: number;
  /** The person pressed Stop and the agent has not yet ended the turn. */
  readonly stopping: boolean;
  /** The agent did not react to Stop for a while: offer to end its process. */
  readonly canForceStop: boolean;
  /** What is sent now goes into the running turn; the agent need not be stopped for it. */
  readonly canSteer?: boolean;
  /** Since when nothing was heard from the agent, once that is long; it may be retrying without a word. */
  readonly silentSince?: number;
  /** What runs now, in the words of the running tool, where there is one. */
  readonly activity?: string;
}

/** Everything outside the list of entries. Small: replaced field by field. */
export interface PanelView {
  /** The configured name, "" when no agent is chosen. */
  readonly agent: string;
  /** The agent's own name and version, where it told them. */
  readonly agentTitle?: string;
  readonly connection: ConnectionView;
  /** Present while the agent waits for a sign-in; it stands in place of what `connection` says. */
  readonly signIn?: SignInView;
  readonly title?: string;
  readonly turn: TurnView;
  /** What the session offers to choose, in the agent's order. */
  readonly options: readonly OptionView[];
  /** Why the last choice could not be had, in one sentence. */
  readonly optionProblem?: string;
  readonly commands: readonly CommandView[];
  readonly plan: readonly PlanEntryView[];
  readonly usage?: UsageView;
  /** Oldest first. */
  readonly notices: readonly AgentNoticeView[];
  /** The first files that wait for review. */
  readonly changes: readonly ChangeView[];
  readonly moreChanges?: MoreChangesView;
  readonly checkpoints?: CheckpointsView;
  readonly fileStates: readonly FileStateView[];
  /** Present while changes will be kept without a click. */
  readonly keepsIn?: KeepCountdownView;
  /** What turns of this thread have changed and still waits. */
  readonly turnChanges?: readonly TurnChangesView[];
  readonly pendingQuestions: readonly PendingQuestionView[];
  /** What the agent is told of the review with the next message; absent where there is nothing to tell. */
  readonly notes?: NotesView;
  /** What the person wrote while a turn ran, in the order in which it will be sent. */
  readonly queue: readonly QueuedPromptView[];
  readonly waitingElsewhere: readonly WaitingElsewhereView[];
  /** The files that the agent works on are opened as it goes. */
  readonly follows?: boolean;
  /** MCP servers and further folders of the session, where there are any. */
  readonly setup?: SetupView;
  /** Present while the list of sessions is open; it stands in place of the thread. */
  readonly sessions?: SessionsView;
  /** What the agent takes in a prompt; absent as long as none has said so. */
  readonly promptCapabilities?: PromptCapabilitiesView;
  /** What is attached to the message that is being written. */
  readonly attachments: readonly AttachmentView[];
  readonly sendWith: 'enter' | 'ctrlEnter';
  readonly platform: 'mac' | 'other';
  /** Prompts to begin with, for an agent of which the host knows some before it runs. */
  readonly suggestions?: readonly string[];
  /** Earlier prompts of the person, newest last, for recall with the up arrow. Bounded. */
  readonly history: readonly string[];
}

/** A file that the person mentioned; `token` is how the text names it ("@tokenizer.ts"). */
export interface MentionView {
  readonly token: string;
  readonly path: string;
  readonly label: string;
}

/** What only the person's side of the panel knows, and what must survive hiding and reloading. */
export interface PanelUiState {
  readonly draft: string;
  readonly mentions: readonly MentionView[];
  /** Where the person was: an entry at the top of the view and the distance above it; absent = at the end. */
  readonly scroll?: { readonly entryId: EntryId; readonly offset: number };
  /** What the person has typed into forms that wait, by the question's `requestId`. Kept in memory only: it may hold secrets. */
  readonly forms?: Readonly<Record<string, FormValues>>;
  /** Entries that the person opened or closed by hand. */
  readonly expanded: Readonly<Record<EntryId, boolean>>;
}

/** The whole state, as a snapshot carries it. */
export interface ThreadView {
  /** Tells one thread from another: entry ids begin anew with each. */
  readonly threadId: string;
  readonly panel: PanelView;
  readonly entries: readonly EntryView[];
  readonly terminals: readonly TerminalView[];
}
