import { createHash } from 'node:crypto';
import { withLineFeeds } from '../../changes/lineEdits';

/** The same for the same text. */
export function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The names of contents that stand as strings in a JSON text. */
export function namesIn(json: string): readonly string[] {
  return json.match(/(?<=")[\da-f]{64}(?=")/g) ?? [];
}

/** The same for texts that an editor shows alike; null where there is none. */
export function digest(text: string | undefined): string | null {
  return text === undefined ? null : nameOf(withLineFeeds(text)).slice(0, 32);
}
