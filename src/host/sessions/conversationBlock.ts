import type { ContentBlock } from '@agentclientprotocol/sdk';
import { entriesToMarkdown } from '../../thread/markdown';
import type { Thread } from '../../thread/thread';

/** Characters; of a longer conversation the end is sent, which matters most. */
const longest = 200_000;

/** Names what is attached; no agent needs to open it. */
const uri = 'parley:conversation.md';

/** The conversation so far as one block, without the prompt that is being sent. */
export function conversationBlock(thread: Thread, embedded: boolean): ContentBlock {
  const whole = entriesToMarkdown([...thread.entries].slice(0, thread.turn?.firstIndex));
  const text = `The conversation so far, with you or another agent, from the editor's records:\n\n${whole.length > longest ? `…\n${whole.slice(-longest)}` : whole}`;
  return embedded ? { type: 'resource', resource: { uri, mimeType: 'text/markdown', text } } : { type: 'text', text: `${text}\n\n` };
}
