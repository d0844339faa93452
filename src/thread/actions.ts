import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { DecodedBlock } from '../acp/decodeContent';
import type { CompactionFields } from '../acp/decodeCompaction';
import type { ConfigOption, OfferedOptions } from '../acp/decodeOptions';
import type { PermissionChoice } from '../acp/decodeRequest';
import type { MessageRole, PlanItem, ToolCallFields, ToolContent } from '../acp/decodeUpdate';
import type { AccountInfo } from '../acp/decodePlanWindow';
import type { ContextUsage, TurnUsage } from '../acp/decodeUsage';
import type { Assessment } from '../permission/assess';
import type { RequestWords } from '../permission/subject';
import type { AgentNotice, Elicitation, ElicitationAnswer, ElicitationState, EntryId, NoticeAction } from './thread';

/**
 * Every change of a thread. `at` is epoch milliseconds: time is a field of the action, so that a replayed thread is
 * the same thread. A field that is absent leaves things as they are.
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
  /** A message by its id, wherever it stands. Without content it only is there; a list takes the place of all of it. */
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
  /** The agent has told the id of a message that the user sent. */
  | { readonly type: 'message/identified'; readonly at: number; readonly entryId: EntryId; readonly messageId: string }
  | { readonly type: 'toolCall/patched'; readonly at: number; readonly fields: ToolCallFields }
  | {
      readonly type: 'toolCall/contentAppended';
      readonly at: number;
      readonly toolCallId: string;
      readonly content: readonly ToolContent[];
    }
  /** Another session of the agent begins below what is here: its ids are others, whatever they look like. */
  | { readonly type: 'ids/forgotten'; readonly at: number }
  /** The agent is gone, and with it what it had not ended. */
  | { readonly type: 'toolCalls/ended'; readonly at: number }
  /** With a title of its own the question leaves that of the call as it is. */
  | {
      readonly type: 'permission/requested';
      readonly at: number;
      readonly requestId: string;
      readonly fields: ToolCallFields;
      readonly options: readonly PermissionChoice[];
      readonly words?: RequestWords;
      readonly assessment?: Assessment;
      /** It is assessed once more. */ readonly isChecking?: true;
    }
  /** A request that waits was assessed again. */
  | {
      readonly type: 'permission/assessed';
      readonly at: number;
      readonly requestId: string;
      readonly assessment?: Assessment;
    }
  /** Without `choice`: withdrawn by the agent, or answered `cancelled`. `rules`: those that chose. */
  | {
      readonly type: 'permission/resolved';
      readonly at: number;
      readonly requestId: string;
      readonly choice?: PermissionChoice;
      readonly rules?: readonly string[];
    }
  /** Rules of the user's have answered a question that was never shown. */
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
  /** What the user submitted is not what the form asks for. */
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
  /** Parley itself asks the user, and something waits for the answer in this window. `entryId`: the entry that asks. */
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
  /** A session was opened, or its agent is gone and nothing can be chosen. */
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
  /** An absent part stays as it is. */
  | { readonly type: 'account/updated'; readonly at: number; readonly account: AccountInfo }
  /** What the agent thinks that the user asks next; absent: nothing any more. */
  | { readonly type: 'suggestion/changed'; readonly at: number; readonly text?: string }
  | { readonly type: 'usage/updated'; readonly at: number; readonly context?: ContextUsage; readonly turn?: TurnUsage }
  /** Another session of the agent begins, or none: what was used is not known any more. */
  | { readonly type: 'usage/cleared'; readonly at: number }
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
  /** The agent is gone, and with it what it was compacting. */
  | { readonly type: 'compactions/ended'; readonly at: number }
  /** Without a prompt: the agent works by itself. */
  | {
      readonly type: 'turn/started';
      readonly at: number;
      readonly turnId: string;
      readonly prompt: readonly DecodedBlock[];
    }
  /** The agent has taken a message of the user into the running turn. */
  | { readonly type: 'prompt/steered'; readonly at: number; readonly prompt: readonly DecodedBlock[] }
  /** The user pressed Stop and `session/cancel` was sent. `callsGoOn`: the agent ends its calls itself (v2). */
  | { readonly type: 'turn/stopRequested'; readonly at: number; readonly callsGoOn?: boolean }
  /** `stopReason` as the agent spelled it; `failed` when the prompt was answered with an error or not at all. */
  | {
      readonly type: 'turn/ended';
      readonly at: number;
      readonly turnId: string;
      readonly stopReason: string | 'failed';
      readonly callsGoOn?: boolean;
    }
  /**
   * The user went back to before a prompt. `title` and `detail` are the notice's; `save` names the files as they were,
   * `remoteId` the agent's session.
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
  /** The last rewind was taken back. */
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
  /** The newest notice that offers `action` was answered: it says so, and offers nothing more. */
  | { readonly type: 'notice/settled'; readonly at: number; readonly action: NoticeAction; readonly title: string };
