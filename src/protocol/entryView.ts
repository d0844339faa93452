import type { ContentView } from './contentView';
import type { EntryId } from './entryId';
import type { ElicitationView } from './formView';
import type { ToolCallView } from './toolCallView';

export interface UserMessageView {
  readonly kind: 'userMessage';
  readonly id: EntryId;
  readonly content: readonly ContentView[];
  /** True after a refusal: this prompt and all later messages are no longer in the agent's context. */
  readonly dropped: boolean;
  /** When it was sent; identifies its checkpoint. */
  readonly sentAt?: number;
}

export interface AgentMessageView {
  readonly kind: 'agentMessage';
  readonly id: EntryId;
  readonly content: readonly ContentView[];
  /** True while further chunks may be appended to the last text. */
  readonly streaming: boolean;
  /** The call of the subagent that wrote this; its card is above. */
  readonly parentId?: EntryId;
  /** The turn has ended, and this is the agent's last message in it. */
  readonly endsTurn?: true;
  /** The agent added it to the conversation as a user message. */
  readonly asUser?: true;
}

export interface ThoughtView {
  readonly kind: 'thought';
  readonly id: EntryId;
  readonly content: readonly ContentView[];
  readonly streaming: boolean;
  /** How long the agent thought; absent until that is known. */
  readonly durationMs?: number;
  readonly parentId?: EntryId;
}

/** Marks where the agent replaced the earlier conversation by a summary. */
export interface CompactionView {
  readonly kind: 'compaction';
  readonly id: EntryId;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  /** The summary, which may be empty. */
  readonly content: readonly ContentView[];
  readonly error?: string;
  readonly startedAt: number;
}

export const noticeActions = [
  'retry',
  'restart',
  'newSession',
  'editSettings',
  'showLog',
  'selectAgent',
  'forceStop',
  'signIn',
  'openFolder',
  'openRecent',
  'useScratchFolder',
  'copyDetails',
  'checkAgent',
  'includeConversation',
  'omitConversation',
  'askAboutConversation',
  'redo',
  'redoFiles',
  'continueWith',
  'showWorktrees',
] as const;
export type NoticeAction = (typeof noticeActions)[number];

/** A message of Parley itself in the thread: how a turn ended, an error, a restart. */
export interface NoticeView {
  readonly kind: 'notice';
  readonly id: EntryId;
  readonly severity: 'info' | 'warning' | 'error';
  readonly title: string;
  /** Plain text, may have several lines (an error's details, a stderr tail). */
  readonly detail?: string;
  readonly actions: readonly NoticeAction[];
  /** The earliest time for Retry; until then its button shows a countdown. */
  readonly retryAt?: number;
  /** The user has sent another prompt since: the notice folds to a line. */
  readonly passed?: true;
  /** A turn without a prompt begins here. */
  readonly beginsTurn?: true;
  /** It comes from an imported file, not from Parley. */
  readonly isQuoted?: true;
}

/** True if a turn begins with an entry: a message of the user, or a notice that begins a turn without one. */
export function beginsTurn(view: EntryView | undefined): boolean {
  return view?.kind === 'userMessage' || (view?.kind === 'notice' && view.beginsTurn === true);
}

export type EntryView =
  | UserMessageView
  | AgentMessageView
  | ThoughtView
  | ToolCallView
  | CompactionView
  | NoticeView
  | ElicitationView;
