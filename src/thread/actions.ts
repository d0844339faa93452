import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { DecodedBlock } from '../acp/decodeContent';
import type { CompactionFields } from '../acp/decodeCompaction';
import type { ConfigOption, OfferedOptions } from '../acp/decodeOptions';
import type { PermissionChoice } from '../acp/decodeRequest';
import type { BackgroundItem, MessageRole, PlanItem, ToolCallFields, ToolContent } from '../acp/decodeUpdate';
import type { AccountInfo } from '../acp/decodePlanWindow';
import type { ContextUsage, TurnUsage } from '../acp/decodeUsage';
import type { Assessment } from '../permission/assess';
import type { RequestWords } from '../permission/subject';
import type { AgentNotice, Elicitation, ElicitationAnswer, ElicitationState, EntryId, NoticeAction } from './thread';

/**
 * Every change of a thread. `at` is epoch milliseconds: time is a field of the action, so that a replay gives the same
 * thread. An absent field leaves the value unchanged.
 */
export type ThreadAction =
  | {
      readonly type: 'message/chunkAppended';
      readonly at: number;
      readonly role: MessageRole;
      readonly content: DecodedBlock;
      readonly messageId?: string;
      readonly parentToolCallId?: string;
      /** When the last of several joined chunks came. */ readonly until?: number;
      /** Of the role `user`: the agent added it. */ readonly isAgents?: true;
      /** The rest of the answer of the turn that has ended. */ readonly endsAnswer?: true;
    }
  /** A message by its id, at any position. Without content it only announces the message; a list replaces all of it. */
  | {
      readonly type: 'message/upserted';
      readonly at: number;
      readonly role: MessageRole;
      readonly messageId: string;
      readonly content?: readonly DecodedBlock[];
      readonly parentToolCallId?: string;
      readonly isAgents?: true;
    }
  | {
      readonly type: 'message/appended';
      readonly at: number;
      readonly role: MessageRole;
      readonly messageId: string;
      readonly content: DecodedBlock;
      readonly parentToolCallId?: string;
      readonly until?: number;
      readonly isAgents?: true;
    }
  /** The agent sent the id of a message that the user sent. */
  | { readonly type: 'message/identified'; readonly at: number; readonly entryId: EntryId; readonly messageId: string }
  | { readonly type: 'toolCall/patched'; readonly at: number; readonly fields: ToolCallFields }
  | {
      readonly type: 'toolCall/contentAppended';
      readonly at: number;
      readonly toolCallId: string;
      readonly content: readonly ToolContent[];
    }
  /** A new session of the agent begins in this thread: earlier ids do not apply to it, even if they are equal. */
  | { readonly type: 'ids/forgotten'; readonly at: number }
  /** The agent's process has ended, and its open calls end with it. */
  | { readonly type: 'toolCalls/ended'; readonly at: number }
  /** If the request has its own title, the call's title stays unchanged. */
  | {
      readonly type: 'permission/requested';
      readonly at: number;
      readonly requestId: string;
      readonly fields: ToolCallFields;
      readonly options: readonly PermissionChoice[];
      readonly words?: RequestWords;
      readonly assessment?: Assessment;
      /** It is assessed once more. */ readonly isChecking?: true;
      /** Parley itself asks. */ readonly isOwn?: true;
    }
  /** A pending request was assessed again. */
  | {
      readonly type: 'permission/assessed';
      readonly at: number;
      readonly requestId: string;
      readonly assessment?: Assessment;
    }
  /** Without `choice`: withdrawn by the agent, or answered `cancelled`. `rules`: the rules that chose. */
  | {
      readonly type: 'permission/resolved';
      readonly at: number;
      readonly requestId: string;
      readonly choice?: PermissionChoice;
      readonly rules?: readonly string[];
    }
  /** The user's rules answered a request that was never shown. */
  | {
      readonly type: 'permission/answered';
      readonly at: number;
      readonly fields: ToolCallFields;
      readonly words?: RequestWords;
      readonly choice: PermissionChoice;
      readonly rules: readonly string[];
    }
  | {
      readonly type: 'elicitation/requested';
      readonly at: number;
      readonly requestId: string;
      readonly message: string;
      readonly ask: Elicitation['ask'];
      readonly toolCallId?: string;
    }
  /** The submitted values do not fit the form. */
  | {
      readonly type: 'elicitation/refused';
      readonly at: number;
      readonly entryId: EntryId;
      readonly errors: ReadonlyMap<string, string>;
    }
  | {
      readonly type: 'elicitation/settled';
      readonly at: number;
      readonly entryId: EntryId;
      readonly state: Exclude<ElicitationState, 'waiting'>;
      readonly answers?: readonly ElicitationAnswer[];
    }
  /** Parley itself asks the user, and some work in this window waits for the answer. `entryId`: the entry that asks. */
  | {
      readonly type: 'ask/began';
      readonly at: number;
      readonly requestId: string;
      readonly title: string;
      readonly entryId?: EntryId;
    }
  | { readonly type: 'ask/ended'; readonly at: number; readonly requestId: string }
  | {
      readonly type: 'plan/replaced';
      readonly at: number;
      readonly planId?: string;
      readonly entries: readonly PlanItem[];
    }
  | { readonly type: 'commands/replaced'; readonly at: number; readonly commands: readonly AvailableCommand[] }
  /** A session was opened, or its agent has ended and its options are gone. */
  | { readonly type: 'options/replaced'; readonly at: number; readonly offered: OfferedOptions }
  | { readonly type: 'configOptions/replaced'; readonly at: number; readonly configOptions: readonly ConfigOption[] }
  | {
      readonly type: 'configOption/changed';
      readonly at: number;
      readonly configId: string;
      readonly value: string | boolean;
    }
  | { readonly type: 'mode/changed'; readonly at: number; readonly modeId: string }
  | { readonly type: 'model/changed'; readonly at: number; readonly modelId: string }
  /** The user chose a value of a session option; `key` as in `SessionOption`. */
  | { readonly type: 'option/requested'; readonly at: number; readonly key: string; readonly value: string | boolean }
  /** The agent answered; `problem` says why it refused. */
  | {
      readonly type: 'option/settled';
      readonly at: number;
      readonly key: string;
      readonly value: string | boolean;
      readonly problem?: string;
    }
  | { readonly type: 'optionProblem/dismissed'; readonly at: number }
  | { readonly type: 'title/changed'; readonly at: number; readonly title: string | undefined }
  /** An absent part stays unchanged. */
  | { readonly type: 'account/updated'; readonly at: number; readonly account: AccountInfo }
  /** The agent's guess at the user's next prompt; absent if there is none any more. */
  | { readonly type: 'suggestion/changed'; readonly at: number; readonly text?: string }
  | { readonly type: 'usage/updated'; readonly at: number; readonly context?: ContextUsage; readonly turn?: TurnUsage }
  /** A new session of the agent begins, or none: its usage is unknown. */
  | { readonly type: 'usage/cleared'; readonly at: number }
  /** `items`: absent if the agent does not report what goes on beside the turn. */
  | { readonly type: 'background/reported'; readonly at: number; readonly items?: readonly BackgroundItem[] }
  | {
      readonly type: 'agentNotice/shown';
      readonly at: number;
      readonly severity: AgentNotice['severity'];
      readonly title: string;
      readonly description?: string;
    }
  | { readonly type: 'agentNotice/dismissed'; readonly at: number; readonly id: string }
  | { readonly type: 'compaction/patched'; readonly at: number; readonly fields: CompactionFields }
  | {
      readonly type: 'compaction/chunkAppended';
      readonly at: number;
      readonly compactionId: string;
      readonly content: DecodedBlock;
    }
  /** The agent's process has ended, and its compactions end with it. */
  | { readonly type: 'compactions/ended'; readonly at: number }
  /** Without a prompt: the agent works without being asked. */
  | {
      readonly type: 'turn/started';
      readonly at: number;
      readonly turnId: string;
      readonly prompt: readonly DecodedBlock[];
    }
  /** The agent accepted a user's message into the running turn. */
  | { readonly type: 'prompt/steered'; readonly at: number; readonly prompt: readonly DecodedBlock[] }
  /** The user pressed Stop and `session/cancel` was sent. `callsGoOn`: the agent ends its calls itself (v2). */
  | { readonly type: 'turn/stopRequested'; readonly at: number; readonly callsGoOn?: boolean }
  /** `stopReason` in the agent's spelling; `failed` if the prompt got an error or no answer. */
  | {
      readonly type: 'turn/ended';
      readonly at: number;
      readonly turnId: string;
      readonly stopReason: string | 'failed';
      readonly callsGoOn?: boolean;
    }
  /**
   * The user restored to before a prompt. `title` and `detail` are the notice's; `save` identifies the files before the
   * restore, `remoteId` the agent's session.
   */
  | {
      readonly type: 'thread/rewound';
      readonly at: number;
      readonly entryId: EntryId;
      readonly title: string;
      readonly detail?: string;
      readonly save?: string;
      readonly remoteId?: string;
    }
  /** The last rewind was undone. */
  | { readonly type: 'thread/rewindUndone'; readonly at: number }
  | {
      readonly type: 'notice/added';
      readonly at: number;
      readonly severity: 'info' | 'warning' | 'error';
      readonly title: string;
      readonly detail?: string;
      readonly actions?: readonly NoticeAction[];
      readonly retryAt?: number;
    }
  /** The newest notice that offers `action` was answered: it shows the answer and offers nothing more. */
  | { readonly type: 'notice/settled'; readonly at: number; readonly action: NoticeAction; readonly title: string };
