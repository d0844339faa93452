/**
 * Matches items against a pattern whose wildcards match any number of items. A mismatch backtracks only to the last
 * wildcard, so the time is at most the product of the lengths.
 */
export function matchesItems<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  isAny: (part: P) => boolean,
  fits: (part: P, item: T) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let behind = 0;
  let item = 0;
  while (item < items.length) {
    if (at < pattern.length && isAny(pattern[at]!)) {
      star = at++;
      behind = item;
    } else if (at < pattern.length && fits(pattern[at]!, items[item]!)) {
      at++;
      item++;
    } else if (star >= 0) {
      at = star + 1;
      item = ++behind;
    } else {
      return false;
    }
  }
  while (at < pattern.length && isAny(pattern[at]!)) at++;
  return at === pattern.length;
}
