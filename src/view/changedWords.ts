import { diffArrays } from 'diff';
import { pairedLines } from '../base/pairedLines';
import type { HunkView } from '../protocol/diffView';

/** Longer lines have no marks. */
const maxLine = 400;
/** Where more of a line than this differs, it is another line. */
const maxChanged = 0.7;

type Places = [number, number][];

/** Adds the words that differ to lines that stand for each other. */
export function withWords(hunk: HunkView): HunkView {
  const { lines } = hunk;
  const words: Record<number, Places> = {};
  for (const [removed, added] of pairedLines(lines)) {
    const places = changedPlaces(lines[removed]!.slice(1), lines[added]!.slice(1));
    if (!places) continue;
    if (places.old.length > 0) words[removed] = places.old;
    if (places.new.length > 0) words[added] = places.new;
  }
  return Object.keys(words).length > 0 ? { ...hunk, words } : hunk;
}

function changedPlaces(before: string, after: string): { readonly old: Places; readonly new: Places } | undefined {
  if (before.length > maxLine || after.length > maxLine) return undefined;
  const parts = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: 60 });
  if (!parts) return undefined;
  const places = { old: [] as Places, new: [] as Places };
  const at = { old: 0, new: 0 };
  let changed = 0;
  for (const { value: words, added, removed } of parts) {
    const value = words.join('');
    if (removed) add(places.old, at.old, value.length);
    if (added) add(places.new, at.new, value.length);
    if (removed || added) changed += value.trim().length;
    if (!added) at.old += value.length;
    if (!removed) at.new += value.length;
  }
  const all = before.trim().length + after.trim().length;
  return changed > all * maxChanged ? undefined : places;
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^]/gu) ?? [];
}

function add(places: Places, from: number, length: number): void {
  const last = places.at(-1);
  if (last?.[1] === from) last[1] = from + length;
  else places.push([from, from + length]);
}
