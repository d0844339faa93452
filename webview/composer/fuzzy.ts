/** How well `query`'s characters are found in `text`, in order; higher is better, `undefined` if they are not. */
export function fuzzyScore(query: string, text: string): number | undefined {
  const wanted = query.toLowerCase();
  const given = text.toLowerCase();
  if (wanted === '') return 0;
  if (given.startsWith(wanted)) return 1000 - given.length;
  const inside = given.indexOf(wanted);
  if (inside >= 0) return 500 - inside - given.length;
  let score = 0;
  let from = 0;
  for (const char of wanted) {
    const at = given.indexOf(char, from);
    if (at < 0) return undefined;
    // The beginning of a word scores higher than its middle.
    score += at === 0 || /[-_./: ]/.test(given[at - 1]!) ? 8 : at === from ? 4 : 0;
    from = at + 1;
  }
  return score - given.length;
}

/** The items that match, best first; equals keep their order. */
export function fuzzyFilter<T>(query: string, items: readonly T[], text: (item: T) => string): T[] {
  return items
    .map((item, i) => ({ item, i, score: fuzzyScore(query, text(item)) }))
    .filter((m) => m.score !== undefined)
    .sort((a, b) => b.score! - a.score! || a.i - b.i)
    .map((m) => m.item);
}
