/** How many colours there are for letters that stand for a name. */
export const tintCount = 6;

/** The colour of a name's letter, always the same, 0 to `tintCount` - 1, so that two names with one initial differ. */
export function tintOf(name: string): number {
  let sum = 0;
  for (const letter of name.trim().toLowerCase()) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  return sum % tintCount;
}
