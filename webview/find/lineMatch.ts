import type { FoundLine } from '../../src/protocol/sessionsView';
import { withoutMarks } from './searchText';

/**
 * Finds a stored line in drawn text, which lacks marks and addresses of links: the line that shares most words with it,
 * and more than half of them, since the line of a fold may have one of them, too.
 * @returns the position of its first searched word
 */
export function findLine(drawn: string, { line, text }: FoundLine): readonly [start: number, end: number] | undefined {
  const wanted = new Set(wordsOf(withoutMarks(line.replaceAll(/\]\([^)]*\)/g, ' '))));
  let most = wanted.size / 2;
  let at: RegExpExecArray | undefined;
  for (const match of drawn.matchAll(/[^\n]+/g)) {
    const shared = new Set(wordsOf(match[0]).filter((word) => wanted.has(word))).size;
    if (shared <= most) continue;
    most = shared;
    at = match;
  }
  if (!at) return undefined;
  const sought = text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const word = sought.length > 0 ? new RegExp(sought.join('|'), 'iu').exec(at[0]) : null;
  const start = at.index + (word?.index ?? 0);
  return [start, start + (word ?? at)[0].length];
}

function wordsOf(line: string): readonly string[] {
  return line.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
