/** Characters of the beginning that the search looks for, and the most matches of it that are compared. */
const headLength = 256;
const maxPlaces = 1_000;
/** Characters that are compared at those places. */
const maxCompared = 10_000_000;

/**
 * `indexOf` for a long part in a long text. The engine's own may compare every pair of characters: two hostile texts of
 * a few hundred kilobytes keep it busy for a minute.
 * @returns -1 if it is absent, undefined if too many places match its beginning.
 */
export function findText(text: string, part: string, from = 0): number | undefined {
  const head = part.slice(0, headLength);
  if (head === part) return text.indexOf(part, from);
  let room = Math.min(maxPlaces, Math.ceil(maxCompared / part.length));
  for (let at = text.indexOf(head, from); at >= 0; at = text.indexOf(head, at + 1)) {
    if (at + part.length > text.length) return -1;
    if (text.startsWith(part, at)) return at;
    if (--room <= 0) return undefined;
  }
  return -1;
}
