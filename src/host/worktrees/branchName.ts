/** Longer names are cut at a word. Characters. */
const maxLength = 40;

/**
 * A name for a branch, from the words of a prompt: letters and digits in small letters, joined by hyphens.
 * @param taken names of branches
 */
export function branchName(words: string, prefix: string, taken: readonly string[]): string {
  const parts = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  let name = '';
  for (const part of parts) {
    if (name !== '' && name.length + part.length >= maxLength) break;
    name = name === '' ? part.slice(0, maxLength) : `${name}-${part}`;
  }
  // Git takes `head` for HEAD where file names ignore case.
  if (name === '' || name === 'head') name = 'session';
  // Two names that differ only in case are one file there, too. A branch `a` and one `a/b` exclude each other.
  const known = taken.map((other) => other.toLowerCase());
  const isTaken = (candidate: string) =>
    known.some((other) => other === candidate.toLowerCase() || other.startsWith(`${candidate.toLowerCase()}/`));
  for (let n = 1; ; n++) {
    const candidate = `${prefix}${name}${n === 1 ? '' : `-${n}`}`;
    if (!isTaken(candidate)) return candidate;
  }
}
