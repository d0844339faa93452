import { Script } from 'node:vm';

/** More than a form's pattern needs, and too short to be noticed. */
const LIMIT_MS = 50;

const script = new Script('new RegExp(pattern, flags).test(text)');

/**
 * Tests a text against an untrusted regular expression, which is stopped if it takes too long.
 * @returns undefined if it was stopped or is invalid.
 */
export function checkPattern(pattern: string, text: string, limitMs = LIMIT_MS): boolean | undefined {
  // JSON Schema requires Unicode patterns; many existing ones are valid only without that flag.
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
