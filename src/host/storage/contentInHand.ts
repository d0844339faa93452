import { absent, type FilledContent } from '../../changes/content';
import { withLineFeeds } from '../../changes/lineFeeds';
import { sha256 } from './contentName';

/** A content with its text and bytes, as far as they are in memory. A text has `\n` line ends. */
export type ContentInHand =
  | { readonly kind: 'absent' }
  | (FilledContent & { readonly kind: 'text'; readonly text: string; readonly bytes?: Buffer | undefined })
  | (FilledContent & { readonly kind: 'binary'; readonly bytes?: Buffer | undefined });

/** The content of a file with this text, whatever its line ends; undefined: no file. */
export function contentOfText(text: string): ContentInHand & { readonly kind: 'text' };
export function contentOfText(text: string | undefined): ContentInHand;
export function contentOfText(text: string | undefined): ContentInHand {
  if (text === undefined) return absent;
  const plain = withLineFeeds(text);
  return { kind: 'text', digest: sha256(plain), text: plain };
}

/** Its text; undefined for a binary file and for none. */
export function textIn(content: ContentInHand | undefined): string | undefined {
  return content?.kind === 'text' ? content.text : undefined;
}
