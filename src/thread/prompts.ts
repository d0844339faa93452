import { isHidden } from './rewind';
import type { Thread, UserMessage } from './thread';

/** The user's prompts in the conversation, the newest first, found lazily. */
export function* promptsFrom(thread: Thread): Generator<UserMessage> {
  for (let index = thread.entries.length - 1; index >= 0; index--) {
    const entry = thread.entries.at(index);
    if (entry?.kind === 'userMessage' && !isHidden(thread, index)) yield entry;
  }
}

/** When the current or last prompt was sent, epoch milliseconds; undefined before the first. */
export function lastPromptAt(thread: Thread | undefined): number | undefined {
  if (!thread) return undefined;
  const asked = thread.turn && thread.entries.at(thread.turn.firstIndex);
  if (asked?.kind === 'userMessage') return asked.at;
  return promptsFrom(thread).next().value?.at;
}

/** The words of a prompt in one line. */
export function promptWords({ parts }: UserMessage): string {
  const text = [...parts].map((part) => (part.type === 'text' ? part.text : ' ')).join('');
  return text.slice(0, 1_000).replace(/\s+/g, ' ').trim();
}
