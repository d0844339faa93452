import type { KeptBytes, Snapshot } from '../../../changes/wholeChange';
import type { ByteFolder } from '../../storage/byteFolder';
import { nameOf } from '../../storage/contentName';
import type { FileContent } from '../disk/diskContent';

/** Permission bits, where they are known. */
export function modeOf(content: FileContent): number | undefined {
  return content.kind === 'absent' ? undefined : (content.original?.mode ?? content.mode);
}

/** What tells a content from others, without the bytes. */
export function snapshotOf(content: FileContent): Snapshot {
  if (content.kind === 'absent') return content;
  const mode = modeOf(content);
  return { kind: content.kind, digest: content.kind === 'text' ? nameOf(content.text) : content.digest, ...(mode === undefined ? {} : { mode }) };
}

/** How many bytes have to be kept to bring a content back; undefined where it cannot be. */
export function sizeToKeep(content: FileContent): number | undefined {
  if (content.kind === 'absent') return 0;
  if (content.original) return content.original.bytes.length;
  return content.kind === 'text' ? Buffer.byteLength(content.text) : content.copy?.size;
}

/** The same, with the bytes in a folder where they are at hand. */
export function keptSnapshot(content: FileContent, bytes: ByteFolder): Snapshot {
  const snapshot = snapshotOf(content);
  if (content.kind === 'absent' || snapshot.kind === 'absent') return snapshot;
  if (content.original) return { ...snapshot, kept: bytes.put(content.original.bytes) };
  if (content.kind === 'text') return { ...snapshot, kept: bytes.put(Buffer.from(content.text)), isDecoded: true };
  if (!content.copy) return snapshot;
  const kept: KeptBytes = { name: content.digest, size: content.copy.size };
  try {
    bytes.adoptSync(content.copy.file, kept);
    return { ...snapshot, kept };
  } catch {
    // The change is told all the same; it cannot be undone then.
    return snapshot;
  }
}
