import type { AvailableCommand, ToolCallLocation } from '@agentclientprotocol/sdk';
import type { DecodedBlock } from '../acp/decodeContent';
import type { CompactionStatus } from '../acp/decodeCompaction';
import type { ElicitationForm } from '../acp/decodeElicitation';
import type { PermissionChoice } from '../acp/decodeRequest';
import type { BackgroundItem, PlanItem, ToolCallFields, ToolContent } from '../acp/decodeUpdate';
import type { AccountInfo } from '../acp/decodePlanWindow';
import type { ContextUsage, TurnUsage } from '../acp/decodeUsage';
import { StringMap } from '../base/stringMap';
import { Vector } from '../base/vector';
import type { Assessment } from '../permission/assess';
import type { PermissionSubject } from '../permission/subject';
import { noOptions, type SessionOptions } from './sessionOptions';

/** Parley's own id, stable for the life of the thread; outside this folder it is opaque, never an array index. */
export type EntryId = string;

/**
 * Content of a message. A text is split into parts of bounded length (`continues` marks all but the first), so that
 * appending a chunk only touches one short string, however many parts there are.
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
  /** The user sent it from here, and the agent gave it an id (v2): updates with that id are echoes. */
  readonly isSent?: boolean;
  /** After a refusal: no longer in the agent's context (schema `StopReason.refusal`). */
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
  /** The call of the subagent that wrote this. */
  readonly parentId?: EntryId;
  /** The agent's id of that call until the agent has sent it. */
  readonly parentCallId?: string;
  /** The agent's last message in a finished turn. */
  readonly endsTurn?: true;
  /** The agent added it to the conversation as a user message. */
  readonly asUser?: true;
}

/** A pending permission request. */
export interface PendingPermission {
  /** Stays the same for all changes of the request; see `nameOf` for the name in answers. */
  readonly requestId: string;
  /** Counts everything that makes it another request to the user: a change, and an assessment. */
  readonly revision: number;
  /** The complete subject of the request. */
  readonly subject: PermissionSubject;
  /** Risks and parts of the command, once they are assessed. */
  readonly assessment?: Assessment;
  /**
   * It is being assessed again, because it changed or the first assessment took too long. Until then it cannot be
   * answered.
   */
  readonly isChecking?: true;
  /** Parley itself asks. The user's rules, which are about requests of agents, do not answer it. */
  readonly isOwn?: true;
  /** The assessment failed and is not repeated. */
  readonly isUnassessed?: true;
  /** The number of the agent's changes while it was pending. */
  readonly changes: number;
  /** The subject before the last change, as text. */
  readonly changedFrom?: string;
}

/** A pending question of Parley itself. */
export interface OwnQuestion {
  readonly requestId: string;
  readonly title: string;
  readonly at: number;
  /** The entry that asks; absent if a dialog or its own card asks. */
  readonly entryId?: EntryId;
}

/** The total time of waiting for the user so far, which is not the agent's work. */
export interface Waited {
  readonly ms: number;
  /** The beginning of the current wait. */
  readonly since?: number;
}

/**
 * Why a call is over without a report of the agent: the user pressed Stop, or its turn has ended. It exists only on our
 * side.
 */
export type LocalEnd = 'cancelled' | 'unfinished';

export interface ToolCall {
  readonly kind: 'toolCall';
  readonly id: EntryId;
  readonly at: number;
  readonly toolCallId: string;
  readonly title: string;
  /** The agent gave no title: `title` is its name, or words of Parley. */
  readonly isUntitled?: boolean;
  readonly name?: string;
  readonly toolKind: NonNullable<ToolCallFields['kind']>;
  /** The agent's last status. */
  readonly status: NonNullable<ToolCallFields['status']>;
  /** Overridden by any later status of the agent (item 172). */
  readonly localEnd?: LocalEnd;
  /** The user pressed Stop while it ran. */
  readonly wasStopped?: true;
  /** The agent reported that it did not run, and who blocked it. */
  readonly notRun?: ToolCallFields['notRun'];
  /** Its command goes on after the call has ended. */
  readonly isBackground?: true;
  /** The agent's id of the session of the subagent that it stands for. The agent itself says when that ends. */
  readonly childSession?: string;
  /** Tokens in the context of that subagent. */
  readonly tokens?: number;
  /** See `UnaskedWork`. */
  readonly wasUnasked?: true;
  /** Line numbers for a patch in the raw input that has none. */
  readonly patchLines?: ToolCallFields['patchLines'];
  readonly content: readonly ToolContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** The agent currently accepts `tool_call/cancel` for it (v2). */
  readonly canCancel?: boolean;
  readonly permissions: readonly PendingPermission[];
  readonly waited?: Waited;
  /** The option that was chosen last. */
  readonly decision?: PermissionChoice;
  /** The subject of the choice, as text. The call may have changed since. */
  readonly decidedOn?: string;
  /** Names of the user's rules that chose it; absent if the user chose. */
  readonly decidedBy?: readonly string[];
  /** The decision comes from a file, not from the user or a rule here. */
  readonly isQuoted?: true;
  readonly endedAt?: number;
  /** The call of the subagent that makes this one. Only the first parent that the agent names counts. */
  readonly parentId?: EntryId;
  /** The agent's id of that call until the agent has sent it. */
  readonly parentCallId?: string;
}

/** Marks where the agent replaced the earlier conversation by a summary. */
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
  | 'redoFiles'
  | 'continueWith';

export interface Notice {
  readonly kind: 'notice';
  readonly id: EntryId;
  readonly at: number;
  readonly severity: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly detail?: string;
  readonly actions: readonly NoticeAction[];
  /** The earliest time for Retry, if the agent gave one. */
  readonly retryAt?: number;
  /** A problem from before the user's last prompt. */
  readonly passed?: true;
  /** A turn without a prompt begins here. */
  readonly beginsTurn?: true;
  /** It comes from a file, not from Parley. */
  readonly isQuoted?: true;
}

/** A web page that an agent asks the user to visit. */
export interface WebPage {
  readonly elicitationId: string;
  /** The address to open: absolute, http or https, ASCII only. */
  readonly url: string;
  /** The site, as the browser will see it. */
  readonly host: string;
  /** Warnings before a visit: letters that imitate others, a name before the host. */
  readonly warnings: readonly string[];
}

/**
 * The state of an elicitation. `opened`: the user agreed to open the page and the agent waits for the user there;
 * `completed`: the agent reported the end. `cancelled`: the user dismissed it; `withdrawn`: nobody answered.
 */
export type ElicitationState = 'waiting' | 'opened' | 'completed' | 'accepted' | 'declined' | 'cancelled' | 'withdrawn';

/** A request of the agent for more than a choice: a form, or a visit to a web page. */
export interface Elicitation {
  readonly kind: 'elicitation';
  readonly id: EntryId;
  readonly at: number;
  readonly requestId: string;
  readonly message: string;
  readonly ask:
    | { readonly mode: 'form'; readonly form: ElicitationForm }
    | { readonly mode: 'url'; readonly page: WebPage };
  /** The thread's id of the call that it belongs to; there may be none. */
  readonly toolCallId?: string;
  readonly state: ElicitationState;
  /** The problems of the last submitted values, by the key of the field. */
  readonly errors: ReadonlyMap<string, string>;
  /** The answers, for the record. Secrets are left out. */
  readonly answers: readonly ElicitationAnswer[];
  /** It comes from a file and was not answered here. */
  readonly isQuoted?: true;
}

export interface ElicitationAnswer {
  readonly label: string;
  readonly text: string;
}

export type Entry = UserMessage | AgentMessage | ToolCall | Compaction | Notice | Elicitation;

/** A live event from the agent for the user; not an entry, because it is not part of the conversation. */
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
  /** Index of the turn's first entry: the user's message, or the notice of a turn without a prompt. */
  readonly firstIndex: number;
  readonly stopping: boolean;
  /** The part of the prompt that the agent has echoed so far (item 93). */
  readonly echoed: string;
  readonly promptText: string;
}

/** Indices of entries that are removed from the conversation: from `from` to before `to`. */
export interface HiddenRange {
  readonly from: number;
  readonly to: number;
}

/** The user restored to before a prompt. */
export interface Rewind {
  /** The index of its notice; later messages follow it. */
  readonly index: number;
  /** The state that Redo restores. */
  readonly before: Pick<Thread, 'hidden' | 'plan' | 'plans'>;
  /** Identifies the files before the restore, if they were restored, too. */
  readonly save?: string;
  /** The agent's session that still has the removed part. */
  readonly remoteId?: string;
}

/**
 * The state of one session as a value. Changed only by `reduce`. Entries are only added at the end or replaced in
 * place, so an entry's number is its index; only `indexOf` may rely on that.
 */
export interface Thread {
  readonly entries: Vector<Entry>;
  /** The ranges that rewinds removed from the conversation, ascending; see `rewind.ts`. The entries stay. */
  readonly hidden: readonly HiddenRange[];
  /** Rewinds in effect, oldest first. */
  readonly rewinds: readonly Rewind[];
  readonly toolCalls: StringMap<number>;
  /** Entries of subagents that came before their call, by the agent's id of the call. */
  readonly awaited: StringMap<Vector<number>>;
  /** Entries of messages with the agent's ids (v2), by role and id. */
  readonly messages: StringMap<number>;
  readonly turn?: Turn;
  readonly title?: string;
  /** Entries of all plans, in their order of arrival. */
  readonly plan: readonly PlanItem[];
  /** The entries by plan, if the agent has several plans with ids (v2). */
  readonly plans: readonly { readonly planId: string; readonly entries: readonly PlanItem[] }[];
  /** The agent sends plans itself; the inputs of its todo tools are then ignored. */
  readonly agentPlans: boolean;
  /** For the agent's session; absent until the agent sends it. */
  readonly usage?: { readonly context?: ContextUsage; readonly turn?: TurnUsage };
  /** The account that the agent uses. */
  readonly account?: AccountInfo;
  /** The agent's guess at the user's next prompt. */
  readonly suggestion?: string;
  /** All work that goes on beside the turn, as the agent reports it (v2); absent if it does not. */
  readonly background?: readonly BackgroundItem[];
  /** The agent's live notices, oldest first. */
  readonly notices: readonly AgentNotice[];
  /** The number of all notices so far; ids continue from it. */
  readonly noticeCount: number;
  /** Entries of compactions by the agent's id. */
  readonly compactions: StringMap<number>;
  /** Open compactions, by the agent's id. */
  readonly compacting: readonly string[];
  /** Modes, models and other options of the session. */
  readonly options: SessionOptions;
  readonly commands: readonly AvailableCommand[];
  /** Pending tool calls and elicitations, oldest first. */
  readonly waiting: readonly {
    readonly requestId: string;
    readonly index: number;
    /** When it was asked. */ readonly at: number;
  }[];
  /** Parley's own pending questions, oldest first. */
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

/** @returns -1 for an invalid id: ids come from the panel, too. */
export function indexOfEntry(id: EntryId): number {
  const index = Number(id.slice(1));
  return Number.isInteger(index) ? index : -1;
}

/** True if a turn begins with an entry: a user's message, or a notice that begins a turn without one. */
export function beginsTurn(entry: Entry): boolean {
  return entry.kind === 'userMessage' || (entry.kind === 'notice' && entry.beginsTurn === true);
}

/** True if the running turn has no prompt. */
export function isUnprompted({ turn, entries }: Thread): boolean {
  return turn !== undefined && entries.at(turn.firstIndex)?.kind === 'notice';
}

/** True if any question is pending, from the agent or from Parley. */
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
