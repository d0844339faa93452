import type { MentionView } from '../protocol/viewModel';

/** A prompt as the person composed it: what Send hands over, and what Retry sends again. */
export interface Draft {
  readonly text: string;
  readonly mentions: readonly MentionView[];
}

/** There is nothing in it that could be sent. */
export function isEmptyDraft({ text, mentions }: Draft): boolean {
  return text.trim() === '' && mentions.length === 0;
}
