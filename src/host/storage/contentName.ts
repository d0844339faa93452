import { createHash } from 'node:crypto';
import { withLineFeeds } from '../../changes/lineFeeds';

/** The same for the same text. */
export function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The same for texts that an editor shows alike; null where there is none. */
export function digest(text: string | undefined): string | null {
  return text === undefined ? null : nameOf(withLineFeeds(text)).slice(0, 32);
}
