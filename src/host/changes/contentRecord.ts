import { modeOf } from './checkpoints/snapshots';
import type { FileContent } from './disk/diskContent';

/**
 * What a record says of a content; its bytes are those of the record. `isDecoded`: of a text in UTF-8 with `\n`, because its
 * own bytes were not at hand. `copied`: the size of a copy under the digest, for a file too large for the record.
 */
export type ContentHead =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly mode?: number | undefined; readonly isDecoded?: boolean }
  | { readonly kind: 'binary'; readonly digest: string; readonly mode?: number | undefined; readonly copied?: number };

/** A content as a record. */
export function recordOf(content: FileContent): { readonly head: ContentHead; readonly bytes?: Uint8Array } {
  if (content.kind === 'absent') return { head: content };
  const mode = modeOf(content);
  const bytes = content.original?.bytes;
  if (content.kind === 'text') return bytes ? { head: { kind: 'text', mode }, bytes } : { head: { kind: 'text', mode, isDecoded: true }, bytes: Buffer.from(content.text) };
  const head = { kind: 'binary', digest: content.digest, mode } as const;
  return bytes ? { head, bytes } : { head: content.copy ? { ...head, copied: content.copy.size } : head };
}
