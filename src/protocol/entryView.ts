import type { ContentView } from './contentView';
import type { EntryId } from './entryId';
import type { ElicitationView } from './formView';
import type { ToolCallView } from './toolCallView';

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
  /** The turn has ended, and this is the last that the agent said in it. */
  readonly endsTurn?: true;
  /** The agent put it into the conversation as if the user had said it. */
  readonly asUser?: true;
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
] as const;
export type NoticeAction = (typeof noticeActions)[number];

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
  /** The user has sent another prompt since: it folds to a line. */
  readonly passed?: true;
  /** A turn without a prompt begins here. */
  readonly beginsTurn?: true;
  /** An imported file says so, and Parley does not. */
  readonly isQuoted?: true;
}

/** Whether a turn begins with an entry: with the user's message, or without one. */
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
