import type { AttachmentView, CurrentFileView, PromptCapabilitiesView } from './attachments';
import type { BackgroundView } from './backgroundView';
import type {
  ChangeView,
  CheckpointsView,
  KeptView,
  MoreChangesView,
  NewProblemsView,
  TurnChangesView,
  UnclaimedView,
} from './changeView';
import type { EntryId } from './entryId';
import type { EntryView, NoticeAction } from './entryView';
import type { FormValues } from './formView';
import type { FileStateView, NotesView } from './notesView';
import type { GalleryView, StarterView } from './galleryView';
import type { OptionView } from './optionView';
import type { PendingQuestionView, WaitingElsewhereView } from './questionView';
import type { SessionsView } from './sessionsView';
import type { SetupView } from './setupView';
import type { SignInView } from './signInView';
import type { TerminalView } from './terminalView';
import type { UsageView } from './usageView';

/**
 * The panel's state as JSON values. The host projects its state into these types (`src/view`), and the webview draws
 * them. None of them is an ACP type: the wire can change without the view noticing, and vice versa. `ThreadView` is the
 * whole; its parts are in the files beside this one (`entryView.ts`, `changeView.ts` and so on).
 *
 * Units: times are milliseconds; `…At` are epoch milliseconds; line numbers are 1-based; sizes are bytes.
 */

export interface PlanEntryView {
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
}

/** The summary of all entries of a plan. */
export interface PlanTallyView {
  readonly total: number;
  /** Completed or cancelled. */
  readonly done: number;
  /** The entry in progress, or the next one. */
  readonly current?: string;
}

export interface CommandView {
  /** Without the leading slash. */
  readonly name: string;
  readonly description: string;
  /** Shown as ghost text after the name. */
  readonly hint?: string;
}

/** A prompt that is sent after the running turn. */
export interface QueuedPromptView {
  readonly id: string;
  readonly text: string;
}

/** The state of the link to the agent; each has its own look in the panel. */
export type ConnectionView =
  /** The agent does not run yet. The first prompt starts it. */
  | { readonly state: 'idle' }
  | { readonly state: 'restricted' }
  | { readonly state: 'noAgents' }
  /** No folder is open, and the user has not chosen the scratch folder. */
  | { readonly state: 'noFolder' }
  /** `detail` says what is being done ("First start downloads …: 3 of 7 packages"); cancellable. */
  | {
      readonly state: 'starting';
      readonly detail: string;
      readonly since: number;
      /** The start takes so long that it may be stuck. */
      readonly isSlow?: true;
      /** The number of unreadable lines in the agent's output, after a while. */
      readonly unread?: number;
      /** The last lines of the agent's output, once it is slow or unreadable. */
      readonly output?: string;
    }
  | { readonly state: 'ready' }
  | {
      readonly state: 'failed';
      readonly title: string;
      readonly detail: string;
      /** Last lines of stderr, if there are any. */
      readonly stderr?: string;
      readonly actions: readonly NoticeAction[];
    };

export interface TurnView {
  readonly running: boolean;
  /** Moved by the time during which the turn waited for the user. */
  readonly startedAt?: number;
  /** The user pressed Stop, and the agent has not yet ended the turn. */
  readonly stopping: boolean;
  /** The turn waits for the user. */
  readonly waits?: true;
  /** The agent did not react to Stop for a while: offer to end its process. */
  readonly canForceStop: boolean;
  /** A new message goes into the running turn; the agent need not be stopped for it. */
  readonly canSteer?: boolean;
  /** The agent works without a prompt: a new message ends that and is not queued. */
  readonly takesPrompt?: true;
  /** The time of the agent's last response, if that is long ago; it may be retrying silently. */
  readonly silentSince?: number;
  /** The number of unreadable lines in the agent's output since then, if there are any. */
  readonly unread?: number;
  /** The current activity, in the words of the running tool. */
  readonly activity?: string;
}

/** Everything except the list of entries. Small: replaced field by field. */
export interface PanelView {
  /** The configured name, "" if no agent is chosen. */
  readonly agent: string;
  /** The agent's own name and version, if it sent them. */
  readonly agentTitle?: string;
  /** Its icon as base64 SVG, if the index of agents was read in this window. */
  readonly agentIcon?: string;
  readonly connection: ConnectionView;
  /** Present while the agent waits for a sign-in; it replaces `connection` in the panel. */
  readonly signIn?: SignInView;
  /** Parley's own pending question. */
  readonly ownQuestion?: string;
  readonly title?: string;
  /** Present if the session was read from a file: it cannot take answers or messages. */
  readonly imported?: { readonly exportedAt: number };
  /** The call of the only subagent that the view shows. The conversation, with its message box, is in another view. */
  readonly subagent?: EntryId;
  readonly turn: TurnView;
  /** The options of the session, in the agent's order. */
  readonly options: readonly OptionView[];
  /** Values that the user has marked as favorites, by `OptionView.key`. */
  readonly favorites?: Readonly<Record<string, readonly string[]>>;
  /** Why the last choice failed, in one sentence. */
  readonly optionProblem?: string;
  readonly commands: readonly CommandView[];
  /** The first entries; a longer plan has a tally. */
  readonly plan: readonly PlanEntryView[];
  readonly planTally?: PlanTallyView;
  readonly usage?: UsageView;
  /** What is at work beside the turn, oldest first; absent if nothing is. */
  readonly background?: readonly BackgroundView[];
  /** Until when the notice about a window of the plan stays away, by the window's label. Epoch ms. */
  readonly dismissedWindows?: Readonly<Record<string, number>>;
  /** The agent's guess at the user's next prompt. */
  readonly suggestion?: string;
  /** Oldest first. */
  readonly notices: readonly AgentNoticeView[];
  /** The first files with pending changes. */
  readonly changes: readonly ChangeView[];
  readonly moreChanges?: MoreChangesView;
  readonly unclaimed?: UnclaimedView;
  readonly checkpoints?: CheckpointsView;
  readonly fileStates: readonly FileStateView[];
  /** Present while something cannot be saved. */
  readonly unsaved?: StorageTroubleView;
  readonly kept?: KeptView;
  /** Pending changes by turn of this thread. */
  readonly turnChanges?: readonly TurnChangesView[];
  /** Errors that the last turn left, if it edited files. */
  readonly newProblems?: NewProblemsView;
  readonly pendingQuestions: readonly PendingQuestionView[];
  /** Feedback to the agent with the next message; absent if there is none. */
  readonly notes?: NotesView;
  /** The user's messages during a turn, in the order in which they will be sent. */
  readonly queue: readonly QueuedPromptView[];
  /** The queue is paused. */
  readonly queuePaused?: boolean;
  readonly waitingElsewhere: readonly WaitingElsewhereView[];
  /** Parley opens the files that the agent works on. */
  readonly follows?: boolean;
  /** Where the first prompt will be worked on, while the user can choose; a number of agents that compete. */
  readonly place?: 'folder' | 'worktree' | number;
  /** MCP servers and further folders of the session, where there are any. */
  readonly setup?: SetupView;
  /** Present while the list of sessions is open; it replaces the conversation. */
  readonly sessions?: SessionsView;
  /** Icons of agents in the list of sessions, by name: SVG in base64. Only those that the gallery has downloaded. */
  readonly agentIcons?: Readonly<Record<string, string>>;
  /** Present while the gallery of agents is open, which replaces the conversation. */
  readonly gallery?: GalleryView;
  /** Icons of agents in the gallery, by key: SVG in base64. */
  readonly galleryIcons?: Readonly<Record<string, string>>;
  /** Present while the user has no agent yet. */
  readonly starters?: readonly StarterView[];
  /** Content that the agent accepts in a prompt; absent until an agent has sent it. */
  readonly promptCapabilities?: PromptCapabilitiesView;
  /** The attachments of the message being written. */
  readonly attachments: readonly AttachmentView[];
  readonly currentFile?: CurrentFileView;
  readonly sendWith: 'enter' | 'ctrlEnter';
  /** Suggested prompts, for an agent for which the host has some before it runs. */
  readonly suggestions?: readonly string[];
  /** Earlier prompts of the user, newest last, for recall with the up arrow. Bounded. */
  readonly history: readonly string[];
}

/** True if the view has a message box. */
export function takesMessages({ imported, subagent }: PanelView): boolean {
  return imported === undefined && subagent === undefined;
}

/** A file that the user mentioned; `token` is how the text names it ("@tokenizer.ts"). */
export interface MentionView {
  readonly token: string;
  readonly path: string;
  readonly label: string;
}

/** The panel's own state, which must survive hiding and reloading. */
export interface PanelUiState {
  readonly draft: string;
  readonly mentions: readonly MentionView[];
  /** The earlier prompt that `draft` replaces, and the draft to restore after that. */
  readonly editing?: { readonly entryId: EntryId; readonly draft: string; readonly mentions: readonly MentionView[] };
  /** The scroll position: an entry at the top of the view and the distance above it; absent = at the end. */
  readonly scroll?: { readonly entryId: EntryId; readonly offset: number };
  /** Typed values of pending forms, by the question's `requestId`. Kept in memory only: they may be secrets. */
  readonly forms?: Readonly<Record<string, FormValues>>;
  /** Entries that the user opened or closed by hand. */
  readonly expanded: Readonly<Record<EntryId, boolean>>;
  /** The content of the message box has moved to another view with its session. Only from the host. */
  readonly hasMoved?: boolean;
}

/** The whole state, as a snapshot carries it. */
export interface ThreadView {
  /** Distinguishes threads: entry ids begin anew with each. */
  readonly threadId: string;
  readonly panel: PanelView;
  readonly entries: readonly EntryView[];
  /** The number of entries before and after these that follow in patches; absent if these are all. */
  readonly rest?: number;
  readonly terminals: readonly TerminalView[];
}

/** A live event from the agent for the user; not part of the conversation. Plain text. */
export interface AgentNoticeView {
  readonly id: string;
  /** `other`: a severity that this version does not know. */
  readonly severity: 'info' | 'warning' | 'error' | 'other';
  readonly title: string;
  readonly description?: string;
}

/** Data that currently cannot be saved. */
export interface StorageTroubleView {
  readonly title: string;
  readonly detail: string;
}

/** Summarizes all entries of a plan. */
export function planTally(plan: readonly PlanEntryView[]): PlanTallyView {
  const done = plan.filter(({ status }) => status === 'completed' || status === 'cancelled').length;
  const current =
    plan.find(({ status }) => status === 'in_progress') ?? plan.find(({ status }) => status === 'pending');
  return { total: plan.length, done, ...(current ? { current: current.content } : {}) };
}
