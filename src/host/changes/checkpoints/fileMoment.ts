import { type HeldSnapshot, isProgramIn, isSameMode, type KeptBytes, type Snapshot } from '../../../changes/wholeChange';
import type { Entry } from '../../../changes/entry';
import type { ByteFolder } from '../../storage/byteFolder';
import { digest, sha256 } from '../../storage/contentName';
import type { FileContent } from '../disk/diskContent';

/** A file and what waits in it for review, at one moment. */
export interface FileMoment {
  /** Undefined: there is no such file, or it is no text. */
  readonly text: string | undefined;
  /** What waits in it. Undefined: nothing. */
  readonly entry: Entry | undefined;
  /** Present where it is a file and no text; `kept` tells which bytes bring it back. */
  readonly whole?: HeldSnapshot | undefined;
  /** Permission bits of a text, where they are known. */
  readonly mode?: number | undefined;
  /** Nobody knows what it was; the rest says nothing then. */
  readonly isUnknown?: boolean | undefined;
}

/** The same for moments in which an editor shows the same; null where there is no file. */
export function digestOf({ text, whole }: Pick<FileMoment, 'text' | 'whole'>): string | null {
  return whole?.digest.slice(0, 32) ?? digest(text);
}

/** Whether a file needs no change to be as it was at the other moment; a mode that is not known is no difference. */
export function isSameMoment(a: FileMoment, b: FileMoment): boolean {
  return digestOf(a) === digestOf(b) && isSameMode(modeIn(a), modeIn(b));
}

/** Whether it is a program at that moment; undefined where that is not known. */
export function isProgramAt(moment: FileMoment): boolean | undefined {
  return isProgramIn(modeIn(moment));
}

function modeIn({ text, whole, mode }: FileMoment): Snapshot {
  return whole ?? (text === undefined ? { kind: 'absent' } : { kind: 'text', digest: '', mode });
}

/** What tells a content from others, without the bytes. */
export function snapshotOf(content: FileContent): Snapshot {
  return content.kind === 'absent' ? content : heldIn(content);
}

/** The same of a file that exists. */
export function heldIn(content: Exclude<FileContent, { readonly kind: 'absent' }>): HeldSnapshot {
  const { kind, mode } = content;
  return { kind, digest: content.kind === 'text' ? sha256(content.text) : content.digest, mode };
}

/** How many bytes have to be kept to bring a content back; undefined where it cannot be. */
export function sizeToKeep(content: FileContent): number | undefined {
  if (content.kind === 'absent') return 0;
  if (content.bytes) return content.bytes.length;
  return content.kind === 'text' ? Buffer.byteLength(content.text) : content.copy?.size;
}

/** The same, with the bytes in a folder where they are at hand. */
export function keptSnapshot(content: FileContent, bytes: ByteFolder): Snapshot {
  if (content.kind === 'absent') return content;
  const snapshot = heldIn(content);
  if (content.bytes) return { ...snapshot, kept: bytes.put(content.bytes) };
  if (content.kind === 'text') return { ...snapshot, kept: bytes.put(Buffer.from(content.text)), isDecoded: true };
  if (!content.copy) return snapshot;
  const kept: KeptBytes = { name: content.digest, size: content.copy.size };
  try {
    bytes.adoptSync(content.copy.file, kept);
    return { ...snapshot, kept };
  } catch {
    // The change is still listed, but it cannot be undone.
    return snapshot;
  }
}
