import { findText } from '../base/findText';
import { withLineFeeds } from '../changes/lineFeeds';
import type { ToolCall } from '../thread/thread';
import { resolvePath } from './labels';
import { placesOf } from './places';

/** A place in a file that the agent reads or edits. */
export interface FollowTarget {
  /** Absolute if the agent's path or the session's folder is. */
  readonly path: string;
  /** 1-based; absent if the agent did not send it. */
  readonly line?: number;
  /** The agent's edit, for finding the line if it was not sent. */
  readonly edit?: { readonly oldText: string; readonly newText: string };
}

/** Kinds of calls whose files are followed. The agent does not work on files that it searches or runs. */
const followed: ReadonlySet<ToolCall['toolKind']> = new Set(['read', 'edit', 'move', 'other']);

/** The file and line of a call; undefined if it has no file, or deletes it. */
export function targetOf(
  { toolKind, locations, content }: Pick<ToolCall, 'toolKind' | 'locations' | 'content'>,
  cwd: string,
): FollowTarget | undefined {
  if (!followed.has(toolKind)) return undefined;
  const location = locations.at(-1);
  const diff = content.findLast((item) => item.type === 'diff');
  const place = location && placesOf(location, cwd).at(-1);
  if (location?.path === '' || place?.isNoFile) return undefined;
  const path = place?.path ?? (diff && resolvePath(diff.path, cwd));
  if (path === undefined || path === '' || /^~[\\/]/.test(path)) return undefined;
  const isOfDiff = diff !== undefined && resolvePath(diff.path, cwd) === path;
  return {
    path,
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(isOfDiff ? { edit: { oldText: diff.oldText ?? '', newText: diff.newText } } : {}),
  };
}

export function isSameTarget(a: FollowTarget | undefined, b: FollowTarget): boolean {
  return a?.path === b.path && a.line === b.line && a.edit?.newText === b.edit?.newText;
}

/**
 * The line to show, 1-based: the agent's own, else the first changed line of its edit if the file has the text before
 * or after that, else the first.
 * @param text the current text of the file
 */
export function lineOf({ line, edit }: FollowTarget, text: string): number {
  if (line !== undefined) return line;
  if (!edit) return 1;
  // A file of Windows may end its lines in another way than the agent's texts.
  const [whole, oldText, newText] = [withLineFeeds(text), withLineFeeds(edit.oldText), withLineFeeds(edit.newText)];
  const oldLines = oldText.split('\n');
  const newLines = newText.split('\n');
  let same = 0;
  while (same < Math.min(oldLines.length, newLines.length) && oldLines[same] === newLines[same]) same++;
  for (const part of [newText, oldText]) {
    const at = part === '' ? -1 : (findText(whole, part) ?? -1);
    if (at >= 0) return whole.slice(0, at).split('\n').length + same;
  }
  return same + 1;
}

/** Milliseconds after a reveal in which scrolling is not the user's. */
export const revealSettlesMs = 700;

export interface ScrollState {
  readonly now: number;
  /** When the followed place was shown last. */
  readonly shownAt: number;
  /** The time of the file's last change, which moves the visible lines by itself. */
  readonly changedAt: number;
  /** The followed line, 1-based. */
  readonly line: number;
  /** First and last line of each visible range, 1-based. */
  readonly visible: readonly (readonly [number, number])[];
}

/** True if the user has scrolled away from the followed place. */
export function hasScrolledAway({ now, shownAt, changedAt, line, visible }: ScrollState): boolean {
  if (now - shownAt < revealSettlesMs || now - changedAt < revealSettlesMs || visible.length === 0) return false;
  return !visible.some(([first, last]) => line >= first && line <= last);
}
