import type { EntryView } from '../protocol/entryView';
import { type Entry, type EntryId, indexOfEntry, type Thread } from '../thread/thread';

/** What a view shows of a thread. */
export interface EntriesInView {
  /** True if it shows the entry at an index. */
  readonly shows: (thread: Thread, index: number) => boolean;
  readonly project: (entry: Entry) => EntryView;
}

/**
 * Indices of the entries that the webview was sent: from `from` to before `to`, which is Infinity once it has the end.
 */
export interface SentRange {
  readonly from: number;
  readonly to: number;
}

/** Entries that are sent together. */
export interface ThreadPart {
  /** Their place beside the entries that were sent before. */
  readonly at: 'start' | 'end';
  readonly entries: readonly EntryView[];
  /** The sent range, including this part. */
  readonly sent: SentRange;
}

/**
 * The size of a message, in values and 64 characters of text. The channel copies a message several times, which blocks
 * both sides: this size takes a few milliseconds.
 */
const partWeight = 8_000;
/** The share of the first part that comes before the entry at the top of the view. */
const shareAbove = 0.3;

/**
 * The entries to draw first: those around the user's position, or those at the end.
 * @param top the entry at the top of the view; none at the end
 */
export function firstPart(thread: Thread, top: EntryId | undefined, view: EntriesInView): ThreadPart {
  const { length } = thread.entries;
  const index = top === undefined ? -1 : indexOfEntry(top);
  const start = index < 0 || index >= length || !view.shows(thread, index) ? length : index;
  const above = before(thread, start, start === length ? partWeight : partWeight * shareAbove, view);
  if (start === length) return { at: 'start', entries: above.entries, sent: { from: above.end, to: Infinity } };
  const below = after(thread, start, partWeight * (1 - shareAbove), view);
  return { at: 'start', entries: [...above.entries, ...below.entries], sent: { from: above.end, to: below.end } };
}

/** The next part, those towards the end first; undefined once the webview has all. */
export function nextPart(thread: Thread, { from, to }: SentRange, view: EntriesInView): ThreadPart | undefined {
  if (to < thread.entries.length) {
    const { entries, end } = after(thread, to, partWeight, view);
    return { at: 'end', entries, sent: { from, to: end } };
  }
  if (from === 0) return undefined;
  const { entries, end } = before(thread, from, partWeight, view);
  return { at: 'start', entries, sent: { from: end, to } };
}

/** The number of entries that were not sent yet; 0 only once the webview has all. */
export function restOf(thread: Thread, { from, to }: SentRange): number {
  return from + Math.max(0, thread.entries.length - to);
}

interface Stretch {
  readonly entries: readonly EntryView[];
  /** Index at which it ends, in the direction in which it was gathered. */
  readonly end: number;
}

/** Ends above a prompt if there is one, because no group of entries goes across a prompt. */
function before(thread: Thread, index: number, limit: number, { shows, project }: EntriesInView): Stretch {
  const entries: EntryView[] = [];
  let weight = 0;
  let at = index;
  while (at > 0) {
    at--;
    if (!shows(thread, at)) continue;
    const entry = thread.entries.at(at)!;
    const view = project(entry);
    entries.push(view);
    weight += weightOf(view);
    if (weight > limit * (entry.kind === 'userMessage' ? 1 : entry.kind === 'toolCall' ? 2 : 1.5)) break;
  }
  return { entries: entries.reverse(), end: at };
}

function after(thread: Thread, index: number, limit: number, { shows, project }: EntriesInView): Stretch {
  const { length } = thread.entries;
  const entries: EntryView[] = [];
  let weight = 0;
  let at = index;
  for (; at < length && weight < limit; at++) {
    if (!shows(thread, at)) continue;
    const view = project(thread.entries.at(at)!);
    entries.push(view);
    weight += weightOf(view);
  }
  return { entries, end: at < length ? at : Infinity };
}

function weightOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / 64;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const item of Object.values(value)) weight += weightOf(item);
  return weight;
}
