import type { DecodedBlock } from './decodeContent';
import { decodeContentBlock } from './decodeContent';
import type { ToolCallFields } from './decodeUpdate';
import { asObject, stringOf, usableOf } from '../base/decode';
import { isObject, type JsonObject } from '../base/json';

/**
 * Updates about the sessions of subagents (unstable schemas v1 and v2: `SubagentUpdate`, `SessionMessage`,
 * `SessionMessageChunk`). Absent keeps; null and malformed values count as absent, but for capabilities.
 */
export type SubagentUpdate =
  /** On the session that began the subagent. `sessionId` is the subagent's own. */
  | {
      readonly type: 'subagent';
      readonly sessionId: string;
      readonly title?: string;
      readonly description?: string;
      /** The agent accepts `session/cancel` for it. */
      readonly canCancel?: boolean;
      readonly status?: ToolCallFields['status'];
    }
  /** A message from one session to another, or, with `isChunk`, more of it. A list replaces all of the content. */
  | {
      readonly type: 'sessionMessage';
      readonly messageId: string;
      readonly sender?: string;
      readonly recipient?: string;
      readonly content?: readonly DecodedBlock[];
      readonly isChunk?: true;
    };

/** @returns undefined without the id */
export function decodeSubagent(
  tag: string,
  update: JsonObject,
  issue: (text: string) => void,
): SubagentUpdate | undefined {
  if (tag === 'subagent_update') {
    const sessionId = stringOf(update['sessionId']);
    const title = stringOf(update['title']);
    const description = stringOf(update['description']);
    const { state, capabilities } = update;
    return sessionId === undefined
      ? undefined
      : {
          type: 'subagent',
          sessionId,
          ...(title ? { title } : {}),
          ...(description ? { description } : {}),
          ...(capabilities === undefined ? {} : { canCancel: isObject(asObject(capabilities)['cancel']) }),
          ...(isObject(state)
            ? { status: statusOfState(stringOf(state['state']), stringOf(state['stopReason'])) }
            : {}),
        };
  }
  const messageId = stringOf(update['messageId']);
  if (messageId === undefined) return undefined;
  if (tag === 'session_message_chunk') {
    const block = decodeContentBlock(update['content']);
    return block && { type: 'sessionMessage', messageId, content: [block], isChunk: true };
  }
  const sender = stringOf(update['senderSessionId']);
  const recipient = stringOf(update['recipientSessionId']);
  const content = update['content'] === null ? [] : usableOf(decodeContentBlock, issue, 'content')(update['content']);
  return {
    type: 'sessionMessage',
    messageId,
    ...(sender === undefined ? {} : { sender }),
    ...(recipient === undefined ? {} : { recipient }),
    ...(content ? { content } : {}),
  };
}

/** The status of a subagent's card. @param state of its session: anything but idle is work (item 194) */
export function statusOfState(state: string | undefined, stopReason: string | undefined): ToolCallFields['status'] {
  if (state !== 'idle') return 'in_progress';
  if (stopReason === 'cancelled') return 'cancelled';
  return stopReason === 'error' || stopReason === 'refusal' ? 'failed' : 'completed';
}
