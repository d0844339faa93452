import ignore, { type Ignore } from 'ignore';

/** More patterns than these in one file are nothing that somebody wrote. */
const MAX_PATTERNS = 2_000;
const MAX_LENGTH = 500;
/** Each star multiplies the time that a name may take. */
const MAX_STARS = 3;
const MAX_DOUBLE_STARS = 3;

/**
 * The rules of a `.gitignore`. What a pattern costs is bounded: one with so many stars that a long name would hold up the
 * host is left out.
 */
export function ignorePatterns(text: string): Ignore {
  return ignore().add(text.split(/\r?\n/, MAX_PATTERNS).filter(isCheap));
}

function isCheap(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH) return false;
  const parts = pattern.split('/');
  const deep = parts.filter((part) => part.includes('**')).length;
  return deep <= MAX_DOUBLE_STARS && parts.every((part) => part.replaceAll(/\*+/g, '*').split('*').length - 1 <= MAX_STARS);
}
