import type { AvailableCommand, ToolCallLocation } from '@agentclientprotocol/sdk';
import type { DecodedBlock } from '../acp/decodeContent';
import type { CompactionStatus } from '../acp/decodeCompaction';
import type { ElicitationForm } from '../acp/decodeElicitation';
import type { PermissionChoice } from '../acp/decodeRequest';
import type { PlanItem, ToolCallFields, ToolContent } from '../acp/decodeUpdate';
import type { AccountInfo } from '../acp/decodePlanWindow';
import type { ContextUsage, TurnUsage } from '../acp/decodeUsage';
import { StringMap } from '../base/stringMap';
import { Vector } from '../base/vector';
import type { Assessment } from '../permission/assess';
import type { PermissionSubject } from '../permission/subject';
import { noOptions, type SessionOptions } from './sessionOptions';

/** Ours, stable for the life of the thread; never an array index for anyone outside this folder. */
export type EntryId = string;

/**
 * Content of a message. Text that belongs together is cut into parts of bounded length (`continues` marks all but the
 * first), so that appending a chunk never touches more than one short string, however many parts there are.
 */
export type Part =
  | { readonly type: 'text'; readonly text: string; readonly continues: boolean }
  | Exclude<DecodedBlock, { type: 'text' }>;

/** Characters after which a text part is closed. */
export const maxPartLength = 8_192;

export interface UserMessage {
  readonly kind: 'userMessage';
  readonly id: EntryId;
  readonly at: number;
  readonly messageId?: string;
  readonly parts: Vector<Part>;
  /** The user sent it from here, and the agent knows it by its id (v2): what the agent says of it is an echo. */
  readonly isSent?: boolean;
  /** After a refusal: not part of the agent's context any more (schema `StopReason.refusal`). */
  readonly dropped: boolean;
}

export interface AgentMessage {
  readonly kind: 'agentMessage' | 'thought';
  readonly id: EntryId;
  readonly at: number;
  readonly messageId?: string;
  readonly parts: Vector<Part>;
  /** When the last chunk came. */
  readonly lastAt: number;
  /** Nothing more will be appended to this entry. */
  readonly closed: boolean;
  /** The call of the subagent that says this. */
  readonly parentId?: EntryId;
  /** The agent's id of that call while it has not sent it. */
  readonly parentCallId?: string;
  /** The last that the agent said in a turn which has ended. */
  readonly endsTurn?: true;
  /** The agent put it into the conversation as if the user had said it. */
  readonly asUser?: true;
}

/** A permission request that waits for the user. */
export interface PendingPermission {
  /** Stays the same however the request changes; see `nameOf` for what an answer names. */
  readonly requestId: string;
  /** Counts everything that makes it another request to the user: a change, and what was found out about it. */
  readonly revision: number;
  /** What is asked, all of it. */
  readonly subject: PermissionSubject;
  /** Risks and parts of the command, where they were looked into. */
  readonly assessment?: Assessment;
  /** It is being assessed again, because it changed or the first look took too long. Until then it takes no answer. */
  readonly isChecking?: true;
  /** Parley could not assess it, and does not try again. */
  readonly isUnassessed?: true;
  /** How often the agent changed it while it waited. */
  readonly changes: number;
  /** What it asked for before the last change. */
  readonly changedFrom?: string;
}

/** What Parley itself asks the user, while something waits for the answer. */
export interface OwnQuestion {
  readonly requestId: string;
  readonly title: string;
  readonly at: number;
  /** Where it is asked in the thread; absent where a dialog or a card of its own asks. */
  readonly entryId?: EntryId;
}

/** For how long something waited for the user so far, which is no work of the agent. */
export interface Waited {
  readonly ms: number;
  /** When the wait began that goes on. */
  readonly since?: number;
}

/**
 * Why a call is over although the agent never said so: the user pressed Stop, or its turn has ended. It exists only on
 * our side.
 */
export type LocalEnd = 'cancelled' | 'unfinished';

export interface ToolCall {
  readonly kind: 'toolCall';
  readonly id: EntryId;
  readonly at: number;
  readonly toolCallId: string;
  readonly title: string;
  /** The agent gave it no title: `title` is its name, or words of Parley's. */
  readonly isUntitled?: boolean;
  readonly name?: string;
  readonly toolKind: NonNullable<ToolCallFields['kind']>;
  /** What the agent said last. */
  readonly status: NonNullable<ToolCallFields['status']>;
  /** Overridden by any later status of the agent (item 172). */
  readonly localEnd?: LocalEnd;
  /** The user pressed Stop while it ran. */
  readonly wasStopped?: true;
  /** It did not run, says the agent, and who did not let it. */
  readonly notRun?: ToolCallFields['notRun'];
  /** See `UnaskedWork`. */
  readonly wasUnasked?: true;
  /** Line numbers for a patch in the raw input that has none. */
  readonly patchLines?: ToolCallFields['patchLines'];
  readonly content: readonly ToolContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** The agent takes `tool_call/cancel` for it now (v2). */
  readonly canCancel?: boolean;
  readonly permissions: readonly PendingPermission[];
  readonly waited?: Waited;
  /** The option that was chosen last. */
  readonly decision?: PermissionChoice;
  /** What it was chosen for, in one text. The call itself may say something else since. */
  readonly decidedOn?: string;
  /** Names of the user's rules that chose it; absent where the user did. */
  readonly decidedBy?: readonly string[];
  /** A file says that this was decided: neither the user nor a rule has done it here. */
  readonly isQuoted?: true;
  readonly endedAt?: number;
  /** The call of the subagent that makes this one. The first that the agent names counts. */
  readonly parentId?: EntryId;
  /** The agent's id of that call while it has not sent it. */
  readonly parentCallId?: string;
}

/** Where the agent put a summary in the place of what was said before. */
export interface Compaction {
  readonly kind: 'compaction';
  readonly id: EntryId;
  readonly at: number;
  readonly compactionId: string;
  readonly status: CompactionStatus;
  readonly parts: Vector<Part>;
  readonly error?: string;
  readonly endedAt?: number;
}

export type NoticeAction =
  | 'retry'
  | 'restart'
  | 'newSession'
  | 'editSettings'
  | 'showLog'
  | 'selectAgent'
  | 'signIn'
  | 'includeConversation'
  | 'omitConversation'
  | 'askAboutConversation'
  | 'redo'
  | 'redoFiles';

export interface Notice {
  readonly kind: 'notice';
  readonly id: EntryId;
  readonly at: number;
  readonly severity: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly detail?: string;
  readonly actions: readonly NoticeAction[];
  /** When Retry makes sense, where the agent has said so. */
  readonly retryAt?: number;
  /** A problem that the user has left behind by sending another prompt. */
  readonly passed?: true;
  /** A turn without a prompt begins here. */
  readonly beginsTurn?: true;
  /** A file says so: Parley has said nothing. */
  readonly isQuoted?: true;
}

/** A web page that an agent wants visited. */
export interface WebPage {
  readonly elicitationId: string;
  /** As it is opened: absolute, http or https, ASCII only. */
  readonly url: string;
  /** Whose page it is, as the browser will see it. */
  readonly host: string;
  /** What a user should know before going there: letters that imitate others, a name before the host. */
  readonly warnings: readonly string[];
}

/**
 * Where an elicitation stands. `opened`: the user agreed to open the page and the agent waits for what they do there;
 * `completed`: the agent said that it is done. `cancelled`: the user put it aside; `withdrawn`: nobody answered.
 */
export type ElicitationState = 'waiting' | 'opened' | 'completed' | 'accepted' | 'declined' | 'cancelled' | 'withdrawn';

/** A question of the agent that takes more than a choice: a form, or a visit to a web page. */
export interface Elicitation {
  readonly kind: 'elicitation';
  readonly id: EntryId;
  readonly at: number;
  readonly requestId: string;
  readonly message: string;
  readonly ask:
    | { readonly mode: 'form'; readonly form: ElicitationForm }
    | { readonly mode: 'url'; readonly page: WebPage };
  /** Of the call that it asks for, as the thread knows it; there need be none. */
  readonly toolCallId?: string;
  readonly state: ElicitationState;
  /** What is wrong with the values that were submitted last, by the key of the field. */
  readonly errors: ReadonlyMap<string, string>;
  /** What was answered, for the record. Secrets are not in it. */
  readonly answers: readonly ElicitationAnswer[];
  /** A file says so: nobody has answered it here. */
  readonly isQuoted?: true;
}

export interface ElicitationAnswer {
  readonly label: string;
  readonly text: string;
}

export type Entry = UserMessage | AgentMessage | ToolCall | Compaction | Notice | Elicitation;

/** A live event that the agent tells the user of; no entry, because it is no part of the conversation. */
export interface AgentNotice {
  readonly id: string;
  readonly severity: 'info' | 'warning' | 'error' | 'other';
  readonly title: string;
  readonly description?: string;
}

/** One `session/prompt` until its stop reason, or work that the agent began without one. */
export interface Turn {
  /** See `newIds`. */
  readonly turnId: string;
  readonly startedAt: number;
  readonly waited?: Waited;
  /**
   * Index of the user's message, where the turn's entries begin; of the notice that says so where there is no prompt.
   */
  readonly firstIndex: number;
  readonly stopping: boolean;
  /** What the agent has echoed of the prompt so far (item 93). */
  readonly echoed: string;
  readonly promptText: string;
}

/** Indices of entries that are out of the conversation: from `from` to before `to`. */
export interface HiddenRange {
  readonly from: number;
  readonly to: number;
}

/** The user went back to before a prompt. */
export interface Rewind {
  /** Of the notice that says so; what was said since comes after it. */
  readonly index: number;
  /** What Redo brings back. */
  readonly before: Pick<Thread, 'hidden' | 'plan' | 'plans'>;
  /** Names the files as they were before, where they were restored too. */
  readonly save?: string;
  /** The agent's session that knows what was taken out. */
  readonly remoteId?: string;
}

/**
 * The state of one session as a value. Changed only by `reduce`. Entries are only ever added at the end or replaced in
 * place, so an entry's number is its index; `indexOf` knows that, nobody else may.
 */
export interface Thread {
  readonly entries: Vector<Entry>;
  /** What rewinds took out of the conversation, ascending; see `rewind.ts`. Entries stay, so nothing of it is lost. */
  readonly hidden: readonly HiddenRange[];
  /** Rewinds that were not taken back, oldest first. */
  readonly rewinds: readonly Rewind[];
  readonly toolCalls: StringMap<number>;
  /** Entries of subagents that came before their call, by the agent's id of the call. */
  readonly awaited: StringMap<Vector<number>>;
  /** Entries of messages that the agent names by id wherever they stand (v2), by role and id. */
  readonly messages: StringMap<number>;
  readonly turn?: Turn;
  readonly title?: string;
  /** Entries of all plans, in the order in which the plans came. */
  readonly plan: readonly PlanItem[];
  /** Where the agent keeps several plans apart by id (v2): each with its entries. */
  readonly plans: readonly { readonly planId: string; readonly entries: readonly PlanItem[] }[];
  /** The agent sends plans itself; what its todo tools are given is then not taken for one. */
  readonly agentPlans: boolean;
  /** Of the session on the agent's side; absent until the agent tells it. */
  readonly usage?: { readonly context?: ContextUsage; readonly turn?: TurnUsage };
  /** Of the account that the agent works with. */
  readonly account?: AccountInfo;
  /** What the agent thinks that the user asks next. */
  readonly suggestion?: string;
  /** What the agent wants the user to know now, oldest first. */
  readonly notices: readonly AgentNotice[];
  /** Of all notices that ever came; their ids count on. */
  readonly noticeCount: number;
  /** Entries of compactions by the agent's id. */
  readonly compactions: StringMap<number>;
  /** Compactions that have not ended, by the agent's id. */
  readonly compacting: readonly string[];
  /** Modes, models and whatever else the session offers to choose. */
  readonly options: SessionOptions;
  readonly commands: readonly AvailableCommand[];
  /** Tool calls and elicitations that wait for the user, oldest first. */
  readonly waiting: readonly {
    readonly requestId: string;
    readonly index: number;
    /** When it was asked. */ readonly at: number;
  }[];
  /** What Parley itself asks, oldest first. */
  readonly asks: readonly OwnQuestion[];
  /** Indices of tool calls that are not final, ascending; short even in a long thread. */
  readonly open: readonly number[];
}

export const emptyThread: Thread = {
  entries: Vector.empty(),
  hidden: [],
  rewinds: [],
  toolCalls: StringMap.empty(),
  awaited: StringMap.empty(),
  messages: StringMap.empty(),
  plan: [],
  plans: [],
  agentPlans: false,
  notices: [],
  noticeCount: 0,
  compactions: StringMap.empty(),
  compacting: [],
  options: noOptions,
  commands: [],
  waiting: [],
  asks: [],
  open: [],
};

export function entryIdAt(index: number): EntryId {
  return `e${index}`;
}

/** @returns -1 for what is no id: ids come from the panel, too. */
export function indexOfEntry(id: EntryId): number {
  const index = Number(id.slice(1));
  return Number.isInteger(index) ? index : -1;
}

/** Whether a turn begins with an entry: with the user's message, or without one. */
export function beginsTurn(entry: Entry): boolean {
  return entry.kind === 'userMessage' || (entry.kind === 'notice' && entry.beginsTurn === true);
}

/** Whether the agent works by itself: the turn that runs has no prompt. */
export function isUnprompted({ turn, entries }: Thread): boolean {
  return turn !== undefined && entries.at(turn.firstIndex)?.kind === 'notice';
}

/** Whether anything waits for the user, whoever asks. */
export function waitsForUser({ waiting, asks }: Pick<Thread, 'waiting' | 'asks'>): boolean {
  return waiting.length > 0 || asks.length > 0;
}

/** True while the agent may still change the call by itself. */
export function isOpen(call: ToolCall): boolean {
  return call.localEnd === undefined && isOpenStatus(call.status);
}

export function isOpenStatus(status: ToolCall['status']): boolean {
  return status === 'pending' || status === 'in_progress' || status === 'paused';
}
