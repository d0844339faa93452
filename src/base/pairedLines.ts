/**
 * Lines of a hunk that stand for each other: the first removed one for the first added one, and so on. Only runs of one length are lines that
 * were changed one by one.
 * @param lines each with its sign. @returns indices of a removed line and of the added one.
 */
export function pairedLines(lines: readonly string[]): (readonly [removed: number, added: number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed, '+');
    if (removed === added) for (let i = at; i < at + removed; i++) pairs.push([i, i + removed]);
    at += Math.max(1, removed + added);
  }
  return pairs;
}

function runOf(lines: readonly string[], from: number, sign: '+' | '-'): number {
  let end = from;
  while (lines[end]?.startsWith(sign)) end++;
  return end - from;
}
