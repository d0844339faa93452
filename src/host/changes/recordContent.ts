import { isSameForm } from '../../changes/textForm';
import { isFormChange } from '../../changes/wholeChange';
import type { TurnMark } from './beforeImages';
import { type FileContent, keyOf } from './disk/diskContent';
import type { KeptFiles } from './keptFiles';
import type { ReviewService } from './reviewService';

/**
 * Gives a change of an agent on disk to the review: as hunks where both sides are text, else as a whole. How a text is
 * stored changes as a whole beside its hunks.
 * @param before undefined where nobody knows what it was. @param mark see `ReviewService.recordChange`
 */
export function recordContent(
  { review, kept }: { readonly review: ReviewService; readonly kept: KeptFiles },
  sessionId: string,
  path: string,
  before: FileContent | undefined,
  content: FileContent,
  mark?: TurnMark,
): void {
  if (before) kept.renames.note(path, keyOf(before), keyOf(content));
  const whole = review.entry(sessionId, path)?.whole;
  if (before && before.kind !== 'binary' && content.kind !== 'binary' && (!whole || isFormChange(whole))) {
    review.recordChange(
      sessionId,
      path,
      before.kind === 'text' ? before.text : undefined,
      content.kind === 'text' ? content.text : undefined,
      mark,
    );
    if (!isSameForm(before, content)) review.recordWhole(sessionId, path, before, content, mark);
  } else {
    review.recordWhole(sessionId, path, before, content, mark);
  }
}
