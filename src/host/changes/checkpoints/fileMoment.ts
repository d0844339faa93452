import { type HeldSnapshot, isProgramIn, isSameMode, type Snapshot } from '../../../changes/wholeChange';
import type { Entry } from '../../../changes/entry';
import { withLineFeeds } from '../../../changes/lineFeeds';
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

/** The content of the file, without its pending changes. */
export function snapshotAt({ text, whole, mode }: FileMoment): Snapshot {
  return (
    whole ?? snapshotOf(text === undefined ? { kind: 'absent' } : { kind: 'text', text: withLineFeeds(text), mode })
  );
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
  if (content.kind === 'binary') return { kind, digest: content.digest, mode };
  return { kind, digest: sha256(content.text), mode, ...(content.form ? { form: content.form } : {}) };
}
