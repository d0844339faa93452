/** Characters by which a place is found, and places of such a beginning that are looked at. */
const headLength = 256;
const maxPlaces = 1_000;
/** Characters that are compared at those places. */
const maxCompared = 10_000_000;

/**
 * `indexOf` for a long text that is looked for in a long text. The engine's own may compare each character of the one
 * with each of the other: two texts of a few hundred kilobytes, made for it, keep it busy for a minute.
 * @returns -1 where it is not there, undefined where it begins like too many places to tell.
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
