import type { ContextSource, PreviewView } from './attachments';
import type { EntryId } from './entryId';
import type { FormValues } from './formView';
import type { AgentFormValues } from './agentForm';
import type { GalleryAct } from './galleryView';
import type { LongList } from './longList';
import type { NoteAct } from './notesView';
import type { ViewPatch } from './patch';
import type { FoundLine, SessionAct } from './sessionsView';
import type { SignInAct } from './signInView';
import type { SyncStamp } from './sync';
import type { ConflictChoice, UnclaimedAct } from './changeView';
import type { NoticeAction } from './entryView';
import type { MentionView, PanelUiState, ThreadView } from './viewModel';

/** Characters; what is longer belongs in a file. The panel refuses it before it clears the box, the host does not take it. */
export const maxPromptLength = 1_000_000;
/** Files that a prompt names with @. */
export const maxMentions = 200;

/** Host → webview. */
export type ToWebview =
  | { readonly type: 'thread/snapshot'; readonly stamp: SyncStamp; readonly view: ThreadView; readonly ui: PanelUiState }
  | { readonly type: 'thread/patch'; readonly stamp: SyncStamp; readonly patches: readonly ViewPatch[] }
  /** Answer to `files/query`; `queryId` is the question's. Best match first. */
  | { readonly type: 'files/found'; readonly queryId: number; readonly files: readonly FoundFile[] }
  /** Answer to `paths/query`: which of its paths there are. */
  | { readonly type: 'paths/found'; readonly paths: readonly string[]; readonly existing: readonly string[] }
  /** Answer to `snippet/query`: the line of the first one, from 1; absent where that is not certain. */
  | { readonly type: 'snippet/found'; readonly queryId: number; readonly line?: number }
  /** Puts a prompt back into the box, before what was typed since. */
  | { readonly type: 'draft/restore'; readonly text: string; readonly mentions: readonly MentionView[]; /** Only where nothing was typed. */ readonly ifEmpty?: true }
  /** Puts an earlier prompt into the box, to be sent in its place. */
  | { readonly type: 'draft/edit'; readonly entryId: string; readonly text: string; readonly mentions: readonly MentionView[] }
  /** Asks the webview to make an image file ready to send; answered by `attachment/add` or `image/refused`. `data` is base64. */
  | { readonly type: 'image/prepare'; readonly requestId: number; readonly name: string; readonly mimeType: string; readonly data: string }
  /** Something has happened that the user may not see. `volume` is above 0 and at most 1. */
  | { readonly type: 'sound/play'; readonly sound: SoundName; readonly volume: number }
  /** Says something over the message box until the user types on. */
  | { readonly type: 'composer/say'; readonly text: string }
  /** Brings an entry of the shown thread into view, because the user asked for it. */
  | { readonly type: 'entry/reveal'; readonly entryId: EntryId; /** Where to go in it. */ readonly found?: FoundLine }
  /**
   * Moves the focus into the message box, or onto the oldest waiting question (never onto an option's button by itself), or into Find.
   * `unread`: onto the question that the commands answer, which has to be read first, and on to what was not in view of it.
   */
  | { readonly type: 'focus/set'; readonly target: 'composer' | 'question' | 'unread' | 'find' };

export type SoundName = 'waiting' | 'finished' | 'failed';

export interface FoundFile {
  readonly path: string;
  readonly name: string;
  /** Folder, relative to the workspace; "" at its top. */
  readonly folder: string;
  readonly isFolder: boolean;
}

/** Webview → host. The webview is not trusted: `decodeFromWebview` checks each message before the host looks at it. */
export type FromWebview =
  | { readonly type: 'ready' }
  | { readonly type: 'thread/resync' }
  | { readonly type: 'ui/changed'; readonly ui: PanelUiState }
  /** The panel has or has not the keyboard; VS Code does not tell for a webview view. */
  | { readonly type: 'focus/changed'; readonly focused: boolean }
  | { readonly type: 'prompt/submit'; readonly text: string; readonly mentions: readonly MentionView[]; /** Ids of `PanelView.attachments`. */ readonly attachments: readonly string[]; /** The prompt in whose place it is sent. */ readonly edits?: string }
  /** An earlier prompt is to be edited in the message box; `cancelEdit` leaves it as it is. */
  | { readonly type: 'prompt/edit'; readonly entryId: string }
  | { readonly type: 'prompt/cancelEdit' }
  /** Lists the prompts of the conversation, to go to one. */
  | { readonly type: 'prompt/pick' }
  /** All that the agent said in a turn, by its last message; `retry` sends the turn's prompt again. */
  | { readonly type: 'answer/copy' | 'answer/retry'; readonly entryId: string }
  /** A file as base64; images are sendable ones already. `remark` tells its size and what was done to it. */
  | { readonly type: 'attachment/add'; readonly name: string; readonly data: string; readonly preview?: PreviewView; readonly remark?: string; readonly requestId?: number }
  /** Files and folders that were dropped. */
  | { readonly type: 'attachment/addUris'; readonly uris: readonly string[] }
  | { readonly type: 'attachment/remove'; readonly id: string }
  /** The earlier prompt that was in the box is in the conversation again, with its attachments. */
  | { readonly type: 'attachment/removeSent' }
  | { readonly type: 'attachment/open'; readonly id: string }
  /** An image of `image/prepare` that cannot be sent as one. */
  | { readonly type: 'image/refused'; readonly requestId: number; readonly reason: string }
  | { readonly type: 'context/add'; readonly source: ContextSource }
  | { readonly type: 'turn/cancel' }
  | { readonly type: 'start/cancel' }
  /** The question may wait in any session. `note` is what the user wants instead: it follows as a message. */
  | { readonly type: 'permission/select'; readonly requestId: string; readonly optionId: string; readonly note?: string }
  /** Which permission is before the user's eyes, for the commands that answer it; absent when none is. `read`: its card was in view. */
  | { readonly type: 'permission/shown'; readonly requestId?: string; readonly read: boolean }
  /** Shows a question that waits in another session. */
  | { readonly type: 'question/show'; readonly key: string }
  /** The user is done with a card: the focus goes back to where it came from. */
  | { readonly type: 'focus/leave' }
  /** All options of a request are to be shown in a picker. */
  | { readonly type: 'permission/showOptions'; readonly requestId: string }
  /** Shows the plan of a request as a document. */
  | { readonly type: 'plan/open'; readonly requestId: string }
  /** Shows the file as it is beside what the request proposes. `path` is that of one of its diffs. */
  | { readonly type: 'permission/openDiff'; readonly requestId: string; readonly path: string }
  /** A rule is to be made of a question that waits. */
  | { readonly type: 'permission/addRule'; readonly requestId: string }
  /** The rules that answered a call are to be switched off. */
  | { readonly type: 'permission/disableRule'; readonly entryId: string }
  | { readonly type: 'elicitation/submit'; readonly requestId: string; readonly values: FormValues }
  /** The user agrees that the page is opened, or wants it opened again. */
  | { readonly type: 'elicitation/open'; readonly requestId: string }
  | { readonly type: 'elicitation/decline'; readonly requestId: string }
  /** The user puts the question aside, or waits no longer for what happens on a page. */
  | { readonly type: 'elicitation/cancel'; readonly requestId: string }
  /** `requestId` is the card's. */
  | { readonly type: 'signIn/choose'; readonly requestId: string; readonly methodId: string }
  | { readonly type: 'signIn/act'; readonly requestId: string; readonly act: SignInAct }
  | { readonly type: 'notice/act'; readonly action: NoticeAction }
  | { readonly type: 'agentNotice/dismiss'; readonly id: string }
  /** What could not be saved shall be saved now. */
  | { readonly type: 'storage/retry' }
  | { readonly type: 'agent/select' }
  /** Another value of one of the session's options: a choice's value, or true or false. */
  | { readonly type: 'option/set'; readonly key: string; readonly value: string | boolean }
  | { readonly type: 'option/favorite'; readonly key: string; readonly value: string; readonly isFavorite: boolean }
  | { readonly type: 'optionProblem/dismiss' }
  | { readonly type: 'session/new' }
  | { readonly type: 'setup/showServers' | 'setup/showFolders' }
  | { readonly type: 'sessions/toggle' }
  | { readonly type: 'sessions/more' }
  | { readonly type: 'sessions/undoDelete' }
  | { readonly type: 'sessions/show'; readonly key: string }
  /** Looks for lines of transcripts; "" ends that. */
  | { readonly type: 'sessions/search'; readonly text: string }
  /** Shows the session of a `SessionHitView`, at its line. */
  | { readonly type: 'sessions/showHit'; readonly id: string }
  | { readonly type: 'sessions/act'; readonly act: SessionAct; readonly keys: readonly string[] }
  | { readonly type: 'gallery/open'; readonly key?: string }
  | { readonly type: 'gallery/close' }
  | { readonly type: 'gallery/act'; readonly key: string; readonly act: GalleryAct }
  | { readonly type: 'agentForm/open' }
  | { readonly type: 'agentForm/close' }
  /** What is typed, without secrets, for when the panel is hidden. */
  | { readonly type: 'agentForm/draft'; readonly values: AgentFormValues }
  | { readonly type: 'agentForm/save'; readonly values: AgentFormValues }
  | { readonly type: 'agentForm/test'; readonly values: AgentFormValues }
  /** The queue is sent again as turns end, or is emptied. */
  | { readonly type: 'queue/resume' | 'queue/clear' }
  | { readonly type: 'queue/send' | 'queue/edit' | 'queue/remove'; readonly id: string }
  /** `to` is the place in the list, from 0, where it stands then. */
  | { readonly type: 'queue/move'; readonly id: string; readonly to: number }
  | { readonly type: 'follow/toggle' }
  | { readonly type: 'trust/manage' }
  /** Let the demo agent play its tour. */
  | { readonly type: 'demo/start' }
  | { readonly type: 'link/open'; readonly href: string }
  | { readonly type: 'location/open'; readonly path: string; readonly line?: number; readonly column?: number }
  /** Goes to a symbol that the agent named; of several names the user chooses one. */
  | { readonly type: 'symbol/open'; readonly names: readonly string[] }
  /** Which of these paths in the agent's text are there? Answered by `paths/found`. */
  | { readonly type: 'paths/query'; readonly paths: readonly string[] }
  /** Where do these lines stand in a file? The first text that is there counts. Answered by `snippet/found`. */
  | { readonly type: 'snippet/query'; readonly queryId: number; readonly path: string; readonly texts: readonly string[] }
  /** Opens a list of which the panel has only the beginning; `entryId` is the tool call that has it. */
  | { readonly type: 'list/open'; readonly list: LongList; readonly entryId?: string }
  /** Opens the diff that stands at `index` in a tool call's content in VS Code's diff editor. */
  | { readonly type: 'diff/open'; readonly entryId: string; readonly index: number }
  /** Goes to the first change in the editor that comes from that diff and waits for a decision. */
  | { readonly type: 'diff/review'; readonly entryId: string; readonly index: number }
  | { readonly type: 'terminal/open'; readonly terminalId: string }
  /** Ends one command, or one call, of the agent's; the turn goes on. */
  | { readonly type: 'terminal/cancel'; readonly terminalId: string }
  | { readonly type: 'toolCall/cancel'; readonly entryId: string }
  | { readonly type: 'code/copy'; readonly text: string }
  | { readonly type: 'code/insert'; readonly text: string }
  /** Opens code as a new, unsaved file; `language` is the agent's word for it. */
  /** `info` is what stands behind the fence: the language, and perhaps a file name. */
  | { readonly type: 'code/save'; readonly text: string; readonly info: string }
  | { readonly type: 'code/newFile'; readonly text: string; readonly language: string }
  /** Without `path`: all changes. */
  | { readonly type: 'change/open'; readonly path?: string }
  | { readonly type: 'change/keep'; readonly path?: string }
  | { readonly type: 'change/undo'; readonly path?: string }
  /** What one turn did; `turn` is the entry with which it began. */
  | { readonly type: 'change/openTurn' | 'change/keepTurn' | 'change/undoTurn'; readonly turn: string }
  /** Shows all files in the tree. */
  | { readonly type: 'change/list' }
  /** The countdown stands still while the user looks at it, or is stopped. */
  | { readonly type: 'keep/hold'; readonly held: boolean }
  | { readonly type: 'keep/stop' | 'keep/undo' }
  /** What shall stand where the user and the agent edited the same lines of a file; `both` shows them side by side. */
  /** Without a path: all. */
  | { readonly type: 'unclaimed/act'; readonly act: UnclaimedAct; readonly path?: string }
  | { readonly type: 'change/resolve'; readonly path: string; readonly choice: ConflictChoice }
  /** Goes back to before a prompt, with the conversation, the files or both as the user chooses then; `redo` takes a restore of files back. */
  | { readonly type: 'checkpoint/restore'; readonly entryId: string }
  | { readonly type: 'checkpoint/redo' }
  /** What is told of the review: all of it, or one line. */
  | { readonly type: 'notes/act'; readonly act: NoteAct }
  | { readonly type: 'note/open' | 'note/remove'; readonly id: string }
  | { readonly type: 'files/query'; readonly queryId: number; readonly text: string }
  /** Something went wrong in the webview; goes to the log. */
  | { readonly type: 'log'; readonly message: string };
