import type { ContentBlock } from '@agentclientprotocol/sdk';
import { entriesToMarkdown } from '../../thread/markdown';
import { lastRewind, shownEntries } from '../../thread/rewind';
import { entryIdAt, type Thread } from '../../thread/thread';

/** Characters; of a longer conversation the end is sent, which matters most. */
const longest = 200_000;

/** Names what is attached; no agent needs to open it. */
const uri = 'parley:conversation.md';

/** The conversation so far as one block, without the prompt that is being sent. */
export function conversationBlock(thread: Thread, embedded: boolean): ContentBlock {
  const rewind = lastRewind(thread);
  const notices = new Set(thread.rewinds.map(({ index }) => entryIdAt(index)));
  const whole = entriesToMarkdown(
    [...shownEntries(thread, thread.turn?.firstIndex)].filter(({ id }) => !notices.has(id)),
  );
  // What the agent did to files after the cut is still there, and the text does not tell of it.
  const files =
    rewind && rewind.save === undefined
      ? '. Files may have changed since; read them again before you rely on them'
      : '';
  const text = `The conversation so far, with you or another agent, from the editor's records${files}:\n\n${whole.length > longest ? `…\n${whole.slice(-longest)}` : whole}`;
  return embedded
    ? { type: 'resource', resource: { uri, mimeType: 'text/markdown', text } }
    : { type: 'text', text: `${text}\n\n` };
}
