import type { Vector } from '../base/vector';
import type { ViewPatch } from '../protocol/patch';
import type { PanelView } from '../protocol/viewModel';
import {
  type AgentMessage,
  type Compaction,
  type Entry,
  type Part,
  type Thread,
  type UserMessage,
} from '../thread/thread';
import type { EntriesInView, SentRange } from './threadParts';

/**
 * Patches that turn a view of `before`, as far as it was sent, into one of `after`. Looks only at entries that differ.
 * @returns undefined if an earlier entry has come into the view, for which there is no patch
 */
export function entryPatches(
  before: Thread,
  after: Thread,
  { shows, project }: EntriesInView,
  sent: SentRange,
): ViewPatch[] | undefined {
  const patches: ViewPatch[] = [];
  for (const index of after.entries.changedSince(before.entries)) {
    if (index < sent.from || index >= sent.to || !shows(after, index)) continue;
    const old = before.entries.at(index);
    if (old && !shows(before, index)) return undefined;
    const entry = after.entries.at(index)!;
    if (!old) patches.push({ op: 'entry/add', entry: project(entry) });
    else patches.push(...(appended(old, entry) ?? [{ op: 'entry/replace', entry: project(entry) }]));
  }
  return patches;
}

/** The appended text where growing at the end is all that happened to a message; `undefined` for any other change. */
function appended(old: Entry, entry: Entry): ViewPatch[] | undefined {
  if (!hasText(old) || !hasText(entry) || old.kind !== entry.kind) return undefined;
  if (
    old.kind === 'compaction' &&
    entry.kind === 'compaction' &&
    (old.status !== entry.status || old.error !== entry.error)
  )
    return undefined;
  if (closedOf(old) && !closedOf(entry)) return undefined;
  if ('parentId' in entry && !('parentId' in old)) return undefined;
  if (old.kind === 'userMessage' && entry.kind === 'userMessage' && old.dropped !== entry.dropped) return undefined;
  if (old.parts.length === 0 || entry.parts.length < old.parts.length) return undefined;
  const last = old.parts.length - 1;
  // Parts before the last are never touched again; comparing the one before is enough to know the lists share them.
  if (last > 0 && old.parts.at(last - 1) !== entry.parts.at(last - 1)) return undefined;
  const grown = growth(old.parts.at(last)!, entry.parts.at(last)!);
  if (grown === undefined) return undefined;
  let viewPart = viewPartOf(entry.parts, last);
  const patches: ViewPatch[] =
    grown === '' ? [] : [{ op: 'entry/appendText', id: entry.id, part: viewPart, text: grown }];
  for (let at = last + 1; at < entry.parts.length; at++) {
    const part = entry.parts.at(at)!;
    if (part.type !== 'text') return undefined;
    if (!part.continues) viewPart++;
    patches.push({ op: 'entry/appendText', id: entry.id, part: viewPart, text: part.text });
  }
  const ends =
    entry.kind === 'agentMessage' && entry.endsTurn === true && !(old.kind === 'agentMessage' && old.endsTurn);
  if (ends || (closedOf(entry) && !closedOf(old))) {
    patches.push({
      op: 'entry/close',
      id: entry.id,
      ...(ends ? { endsTurn: true } : {}),
      ...(entry.kind === 'thought' ? { durationMs: Math.max(0, entry.lastAt - entry.at) } : {}),
    });
  }
  return patches;
}

function growth(old: Part, now: Part): string | undefined {
  if (old === now) return '';
  if (old.type !== 'text' || now.type !== 'text' || old.continues !== now.continues) return undefined;
  return now.text.startsWith(old.text) ? now.text.slice(old.text.length) : undefined;
}

/** Number of the view's part that holds thread part `index`. */
function viewPartOf(parts: Vector<Part>, index: number): number {
  let view = -1;
  for (let i = 0; i <= index; i++) {
    const part = parts.at(i)!;
    if (!(part.type === 'text' && part.continues)) view++;
  }
  return view;
}

function hasText(entry: Entry): entry is UserMessage | AgentMessage | Compaction {
  return (
    entry.kind === 'userMessage' ||
    entry.kind === 'agentMessage' ||
    entry.kind === 'thought' ||
    entry.kind === 'compaction'
  );
}

function closedOf(entry: UserMessage | AgentMessage | Compaction): boolean {
  return 'closed' in entry && entry.closed;
}

/**
 * One patch with the fields that differ, or none. Fields are compared by identity: unchanged state keeps its objects.
 */
export function panelPatches(before: PanelView, after: PanelView): ViewPatch[] {
  if (before === after) return [];
  const fields: Record<string, unknown> = {};
  const cleared: (keyof PanelView)[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof PanelView>) {
    if (same(before[key], after[key])) continue;
    if (after[key] === undefined) cleared.push(key);
    else fields[key] = after[key];
  }
  if (Object.keys(fields).length === 0 && cleared.length === 0) return [];
  return [{ op: 'panel/set', fields, ...(cleared.length > 0 ? { cleared } : {}) }];
}

/** Small values are made anew for each projection, so these are compared by content. */
function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
