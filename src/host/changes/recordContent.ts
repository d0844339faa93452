import { isSameForm } from '../../changes/textForm';
import { isFormChange } from '../../changes/wholeChange';
import type { TurnMark } from './beforeImages';
import type { ReviewContents } from './reviewContents';
import type { ReviewService } from './reviewService';
import type { ContentInHand } from '../storage/contentInHand';

/**
 * Gives a change of an agent on disk to the review: as hunks where both sides are text, else as a whole. How a text is
 * stored changes as a whole beside its hunks.
 * @param before undefined where nobody knows what it was. @param mark see `ReviewService.recordChange`
 */
export function recordContent(
  { review, contents }: { readonly review: ReviewService; readonly contents: ReviewContents },
  sessionId: string,
  path: string,
  before: ContentInHand | undefined,
  content: ContentInHand,
  mark?: TurnMark,
): void {
  if (before) contents.renames.note(path, keyOf(before), keyOf(content));
  const whole = review.entry(sessionId, path)?.whole;
  if (before && before.kind !== 'binary' && content.kind !== 'binary' && (!whole || isFormChange(whole))) {
    review.recordChange(sessionId, path, before, content, mark);
    if (!isSameForm(before, content)) review.recordWhole(sessionId, path, before, content, mark);
  } else {
    review.recordWhole(sessionId, path, before, content, mark);
  }
}

/** What tells contents apart; an empty text has nothing by which to know it. */
function keyOf(content: ContentInHand): string | undefined {
  return content.kind === 'absent' ? undefined : content.kind === 'text' && content.text === '' ? '' : content.digest;
}
