import * as l10n from '@vscode/l10n';
import { messageOf } from '../../base/errorText';
import { isSameContent, isSameMode } from '../../changes/content';
import type { LineEdit } from '../../changes/lineDiff';
import { type BothChanged, type Overlap, takeOver } from '../../changes/merge';
import type { ReviewService } from '../changes/reviewService';
import { ChangedMeanwhileError } from '../files/fileOnDisk';
import { standingContent, withBytes } from '../files/readContent';
import { type ContentInHand, contentOfText } from '../storage/contentInHand';
import type { FileToMerge } from './mergeText';
import { isPermissionOnly, takenMode } from './permissions';
import type { WorktreeChange } from './worktreeChanges';

/** A file of a worktree, and which of its changes are to be taken over. */
export interface ChosenChange {
  readonly change: WorktreeChange;
  /** Ascending; all of the change's own for the whole file. */
  readonly edits: readonly LineEdit[];
}

export interface TakeOverResult {
  /** Labels of files that got changes. */
  readonly taken: readonly string[];
  /** Labels of files that have them already. */
  readonly same: readonly string[];
  /** Files that stayed as they are, and why, in a sentence. */
  readonly left: readonly { readonly label: string; readonly why: string }[];
  /** Files, taken or same, with places that both sides changed differently. */
  readonly overlaps: readonly FileToMerge[];
}

/** So often a file is tried while others change it. */
const MAX_ATTEMPTS = 20;

/** How a change meets a file as it is now. */
type Meeting =
  | { readonly next: ContentInHand; readonly overlaps: readonly BothChanged[] }
  | { readonly why: string; readonly overlaps: readonly [] };

/** @returns the number of places that both sides changed differently, by the label of each file with any */
export async function overlapsOf(chosen: readonly ChosenChange[]): Promise<ReadonlyMap<string, number>> {
  const places = new Map<string, number>();
  for (const item of chosen) {
    const { length } = meet(item, await standingContent(item.change.path), 'mine').overlaps;
    if (length > 0) places.set(item.change.label, length);
  }
  return places;
}

/**
 * Takes changes of a worktree over into the repository's own folder, as pending changes of the session that made them.
 * Goes file by file; what a file held is stored before. Unsaved text is merged with and stays unsaved.
 * @param overlap which lines a file gets where both sides changed them, by its label
 */
export async function takeOverChanges(
  chosen: readonly ChosenChange[],
  overlap: (label: string) => Overlap,
  sessionId: string,
  review: Pick<ReviewService, 'write'>,
): Promise<TakeOverResult> {
  const taken: string[] = [];
  const same: string[] = [];
  const left: { label: string; why: string }[] = [];
  const overlaps: FileToMerge[] = [];
  for (const item of chosen) {
    const { path, label } = item.change;
    try {
      const met = await taking(item, overlap(label), (expected, next) => review.write(sessionId, path, expected, next));
      if ('why' in met) left.push({ label, why: met.why });
      else (met.isSame ? same : taken).push(label);
      if (met.overlaps.length > 0) overlaps.push({ path, label, overlaps: met.overlaps });
    } catch (error) {
      left.push({ label, why: messageOf(error) });
    }
  }
  return { taken, same, left, overlaps };
}

async function taking(
  item: ChosenChange,
  overlap: Overlap,
  write: (expected: ContentInHand, next: ContentInHand) => Promise<unknown>,
): Promise<Meeting & { readonly isSame?: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const expected = await standingContent(item.change.path);
    const met = meet(item, expected, overlap);
    if ('why' in met) return met;
    if (isSameContent(expected, met.next) && isSameMode(expected, met.next)) return { ...met, isSame: true };
    try {
      // Of many bytes only one file's are in memory.
      const isSame = isSameContent(expected, met.next);
      await write(expected, isSame ? met.next : await withBytes(item.change.source, met.next));
      return met;
    } catch (error) {
      if (!(error instanceof ChangedMeanwhileError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function meet({ change, edits }: ChosenChange, mine: ContentInHand, overlap: Overlap): Meeting {
  const { base, theirs } = change;
  const mode = takenMode(change, mine);
  if (base.kind === 'text' && theirs.kind === 'text' && mine.kind === 'text') {
    const { text, overlaps } = takeOver(base.text, mine.text, edits, overlap);
    return { next: { ...contentOfText(text), mode, form: mine.form }, overlaps };
  }
  // As a whole: a new, deleted or binary file.
  if (mine.kind !== 'absent' && (isPermissionOnly(change) || isSameContent(mine, theirs)))
    return { next: { ...mine, mode }, overlaps: [] };
  if (isSameContent(mine, base) || isSameContent(mine, theirs))
    return { next: theirs.kind === 'absent' ? theirs : { ...theirs, mode }, overlaps: [] };
  return { why: l10n.t('It has changed in both places, and cannot be merged by lines.'), overlaps: [] };
}
