import type { AgentNoticeView } from './agentNoticeView';
import type { AttachmentView, CurrentFileView, PromptCapabilitiesView } from './attachments';
import type {
  ChangeView,
  CheckpointsView,
  KeepCountdownView,
  KeptView,
  MoreChangesView,
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
import type { StorageTroubleView } from './storageTroubleView';
import type { TerminalView } from './terminalView';
import type { UsageView } from './usageView';

/**
 * What the panel shows, as JSON values. The host projects its state into these types (`src/view`), the webview draws
 * them. Nothing here is an ACP type: the wire may change without the view noticing, and the other way round. This is
 * the whole of it; its parts are in the files beside it (`entryView.ts`, `changeView.ts` and so on).
 *
 * Units: times are milliseconds; `…At` are epoch milliseconds; line numbers are 1-based; sizes are bytes.
 */

export interface PlanEntryView {
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
}

/** What all entries of a plan come to. */
export interface PlanTallyView {
  readonly total: number;
  /** Completed or cancelled. */
  readonly done: number;
  /** What is being done, or comes next. */
  readonly current?: string;
}

export interface CommandView {
  /** Without the leading slash. */
  readonly name: string;
  readonly description: string;
  /** Shown as ghost text after the name. */
  readonly hint?: string;
}

/** A prompt that goes out when the running turn has ended. */
export interface QueuedPromptView {
  readonly id: string;
  readonly text: string;
}

/** The state of the link to the agent; each has its own face in the panel. */
export type ConnectionView =
  /** Nothing runs and nothing was asked yet. The first prompt starts the agent. */
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
      /** It takes so long that it may be stuck. */
      readonly isSlow?: true;
      /** How many lines of the agent's output could not be read, where there are any after a while. */
      readonly unread?: number;
      /** The last lines that the agent has printed, once it is slow or cannot be read. */
      readonly output?: string;
    }
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
  /** Moved by the time in which the turn waited for the user. */
  readonly startedAt?: number;
  /** The user pressed Stop and the agent has not yet ended the turn. */
  readonly stopping: boolean;
  /** The turn waits for the user. */
  readonly waits?: true;
  /** The agent did not react to Stop for a while: offer to end its process. */
  readonly canForceStop: boolean;
  /** What is sent now goes into the running turn; the agent need not be stopped for it. */
  readonly canSteer?: boolean;
  /** The agent works by itself: what is sent now ends that and is not queued. */
  readonly takesPrompt?: true;
  /** Since when nothing was heard from the agent, once that is long; it may be retrying without a word. */
  readonly silentSince?: number;
  /** How many lines of the agent's output could not be read since then, where there are any. */
  readonly unread?: number;
  /** What runs now, in the words of the running tool, where there is one. */
  readonly activity?: string;
}

/** Everything outside the list of entries. Small: replaced field by field. */
export interface PanelView {
  /** The configured name, "" when no agent is chosen. */
  readonly agent: string;
  /** The agent's own name and version, where it told them. */
  readonly agentTitle?: string;
  /** Its picture as base64 SVG, where the index of agents was read in this window. */
  readonly agentIcon?: string;
  readonly connection: ConnectionView;
  /** Present while the agent waits for a sign-in; it stands in place of what `connection` says. */
  readonly signIn?: SignInView;
  /** What Parley itself asks, while something waits for the answer. */
  readonly ownQuestion?: string;
  readonly title?: string;
  /** Present where the session was read from a file: there is nothing to answer and nowhere to write. */
  readonly imported?: { readonly exportedAt: number };
  readonly turn: TurnView;
  /** What the session offers to choose, in the agent's order. */
  readonly options: readonly OptionView[];
  /** Values that the user has marked as favorites, by `OptionView.key`. */
  readonly favorites?: Readonly<Record<string, readonly string[]>>;
  /** Why the last choice could not be had, in one sentence. */
  readonly optionProblem?: string;
  readonly commands: readonly CommandView[];
  /** The first entries; a longer plan has a tally. */
  readonly plan: readonly PlanEntryView[];
  readonly planTally?: PlanTallyView;
  readonly usage?: UsageView;
  /** What the agent thinks that the user asks next. */
  readonly suggestion?: string;
  /** Oldest first. */
  readonly notices: readonly AgentNoticeView[];
  /** The first files that wait for review. */
  readonly changes: readonly ChangeView[];
  readonly moreChanges?: MoreChangesView;
  readonly unclaimed?: UnclaimedView;
  readonly checkpoints?: CheckpointsView;
  readonly fileStates: readonly FileStateView[];
  /** Present while changes will be kept without a click. */
  readonly keepsIn?: KeepCountdownView;
  /** Present while something cannot be saved. */
  readonly unsaved?: StorageTroubleView;
  readonly kept?: KeptView;
  /** What turns of this thread have changed and still waits. */
  readonly turnChanges?: readonly TurnChangesView[];
  readonly pendingQuestions: readonly PendingQuestionView[];
  /** What the agent is told of the review with the next message; absent where there is nothing to tell. */
  readonly notes?: NotesView;
  /** What the user wrote while a turn ran, in the order in which it will be sent. */
  readonly queue: readonly QueuedPromptView[];
  /** Nothing of the queue is sent by itself. */
  readonly queuePaused?: boolean;
  readonly waitingElsewhere: readonly WaitingElsewhereView[];
  /** The files that the agent works on are opened as it goes. */
  readonly follows?: boolean;
  /** MCP servers and further folders of the session, where there are any. */
  readonly setup?: SetupView;
  /** Present while the list of sessions is open; it stands in place of the thread. */
  readonly sessions?: SessionsView;
  /** Icons of agents in the list of sessions, by name: SVG in base64. Those that the gallery has downloaded. */
  readonly agentIcons?: Readonly<Record<string, string>>;
  /** Present while the gallery of agents is open, which replaces the conversation. */
  readonly gallery?: GalleryView;
  /** Icons of agents in the gallery, by key: SVG in base64. */
  readonly galleryIcons?: Readonly<Record<string, string>>;
  /** Present while the user has no agent yet. */
  readonly starters?: readonly StarterView[];
  /** What the agent takes in a prompt; absent as long as none has said so. */
  readonly promptCapabilities?: PromptCapabilitiesView;
  /** What is attached to the message that is being written. */
  readonly attachments: readonly AttachmentView[];
  readonly currentFile?: CurrentFileView;
  readonly sendWith: 'enter' | 'ctrlEnter';
  /** Prompts to begin with, for an agent of which the host knows some before it runs. */
  readonly suggestions?: readonly string[];
  /** Earlier prompts of the user, newest last, for recall with the up arrow. Bounded. */
  readonly history: readonly string[];
}

/** A file that the user mentioned; `token` is how the text names it ("@tokenizer.ts"). */
export interface MentionView {
  readonly token: string;
  readonly path: string;
  readonly label: string;
}

/** What only the user's side of the panel knows, and what must survive hiding and reloading. */
export interface PanelUiState {
  readonly draft: string;
  readonly mentions: readonly MentionView[];
  /** The earlier prompt that `draft` will be sent in place of, and the draft that comes back then. */
  readonly editing?: { readonly entryId: EntryId; readonly draft: string; readonly mentions: readonly MentionView[] };
  /** Where the user was: an entry at the top of the view and the distance above it; absent = at the end. */
  readonly scroll?: { readonly entryId: EntryId; readonly offset: number };
  /**
   * What the user has typed into forms that wait, by the question's `requestId`. Kept in memory only: it may hold
   * secrets.
   */
  readonly forms?: Readonly<Record<string, FormValues>>;
  /** Entries that the user opened or closed by hand. */
  readonly expanded: Readonly<Record<EntryId, boolean>>;
  /** What is in the message box has moved to another view with its session. Only from the host. */
  readonly hasMoved?: boolean;
}

/** The whole state, as a snapshot carries it. */
export interface ThreadView {
  /** Tells one thread from another: entry ids begin anew with each. */
  readonly threadId: string;
  readonly panel: PanelView;
  readonly entries: readonly EntryView[];
  /** How many entries before and after these follow in patches; absent where these are all. */
  readonly rest?: number;
  readonly terminals: readonly TerminalView[];
}
