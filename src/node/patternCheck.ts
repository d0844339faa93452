import { Script } from 'node:vm';

/** More than any form's pattern needs, and too short to be noticed. */
const LIMIT_MS = 50;

const script = new Script('new RegExp(pattern, flags).test(text)');

/**
 * Tests a text against a regular expression that nobody has looked at: it is stopped when it takes too long.
 * @returns undefined when it was stopped, or when the pattern is none.
 */
export function checkPattern(pattern: string, text: string, limitMs = LIMIT_MS): boolean | undefined {
  // JSON Schema wants Unicode patterns; many that are written elsewhere are valid only without.
  const flags = ['u', ''].find((candidate) => isPattern(pattern, candidate));
  if (flags === undefined) return undefined;
  try {
    return script.runInNewContext({ pattern, flags, text }, { timeout: limitMs }) === true;
  } catch {
    return undefined;
  }
}

function isPattern(pattern: string, flags: string): boolean {
  try {
    return Boolean(new RegExp(pattern, flags));
  } catch {
    return false;
  }
}
