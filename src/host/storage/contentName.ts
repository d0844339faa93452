import { createHash } from 'node:crypto';
import { withLineFeeds } from '../../changes/lineFeeds';

/** The digest of a content; a text in UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Equal for texts that an editor shows alike; null if there is none. */
export function digest(text: string | undefined): string | null {
  return text === undefined ? null : sha256(withLineFeeds(text)).slice(0, 32);
}
