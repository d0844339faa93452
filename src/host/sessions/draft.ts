import type { MentionView } from '../../protocol/viewModel';
import type { ReviewMessage } from '../../changes/notes';
import type { Attachment } from '../attachments/attachment';

/** A prompt as the user composed it: what Send hands over, and what Retry sends again. */
export interface Draft {
  readonly text: string;
  readonly mentions: readonly MentionView[];
  readonly attachments: readonly Attachment[];
  /** What the agent is told of the review. */
  readonly notes?: ReviewMessage | undefined;
}

/** There is nothing in it that could be sent. */
export function isEmptyDraft({ text, mentions, attachments, notes }: Draft): boolean {
  return text.trim() === '' && mentions.length === 0 && attachments.length === 0 && notes === undefined;
}
