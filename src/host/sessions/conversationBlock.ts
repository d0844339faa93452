import type { ContentBlock } from '@agentclientprotocol/sdk';
import { neverCancelled } from '../../base/cancellation';
import { entriesToMarkdown } from '../../thread/markdown';
import type { Session } from '../../thread/session';
import type { Thread } from '../../thread/thread';

/** Characters; of a longer conversation the end is sent, which matters most. */
const longest = 200_000;

/** Names what is attached; no agent needs to open it. */
const uri = 'parley:conversation.md';

/**
 * Asks, as a card in the thread, whether an agent that does not know the conversation gets it with the next prompt.
 * @returns undefined when nobody chose: the turn was stopped.
 */
export async function askToAttach(session: Session, agent: string): Promise<'attach' | 'without' | undefined> {
  const chosen = await session.ask(
    `${agent} does not know the conversation above`,
    'other',
    [],
    [
      { optionId: 'attach', name: 'Send it with the message', kind: 'allow_once' },
      { optionId: 'without', name: 'Send the message alone', kind: 'reject_once' },
    ],
    neverCancelled,
  );
  return chosen === 'attach' || chosen === 'without' ? chosen : undefined;
}

/** The conversation so far as one block, without the prompt that is being sent. */
export function conversationBlock(thread: Thread, embedded: boolean): ContentBlock {
  const whole = entriesToMarkdown([...thread.entries].slice(0, thread.turn?.firstIndex));
  const text = `The conversation so far, with you or another agent, from the editor's records:\n\n${whole.length > longest ? `…\n${whole.slice(-longest)}` : whole}`;
  return embedded ? { type: 'resource', resource: { uri, mimeType: 'text/markdown', text } } : { type: 'text', text: `${text}\n\n` };
}
