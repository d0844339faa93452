import { isSameForm, type TextForm } from './textForm';

/**
 * Bytes in the content store (`host/storage/contentStore.ts`). `name`: their SHA-256 in hexadecimal digits. `at`: the
 * pack that has them and the byte at which they begin, as `pack:offset`; absent if they have a file of their own.
 */
export interface Stored {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly at?: string | undefined;
}

/** An `Entry` of the ledger in the content store. `baseline`: its lines before the agent's changes. */
export interface StoredEntry extends Stored {
  readonly baseline?: Stored | undefined;
}

/** The content of a file at some moment, without the bytes. */
export type Content = { readonly kind: 'absent' } | FilledContent;

/** The content of a file that exists. */
export interface FilledContent {
  readonly kind: 'text' | 'binary';
  /** The SHA-256 of a text with `\n` line ends in UTF-8, or of bytes. Of a huge file: its size and time. */
  readonly digest: string;
  /** Permission bits, if they are known. */
  readonly mode?: number | undefined;
  /** How the file stores the text, if that is known. */
  readonly form?: TextForm | undefined;
  /** Absent if the bytes were not stored, because there were too many. */
  readonly stored?: Stored | undefined;
  /** The stored bytes are the text in UTF-8 with `\n`, because the bytes of the file were not at hand. */
  readonly isDecoded?: boolean | undefined;
}

export const absent = { kind: 'absent' } as const;

/** Compares the digests of texts with `\n` line ends, or of bytes. `isSameMode` and `isSameForm` compare the rest. */
export function isSameContent(a: Content, b: Content): boolean {
  return a.kind === 'absent' || b.kind === 'absent' ? a.kind === b.kind : a.kind === b.kind && a.digest === b.digest;
}

/** The name of a content in the log of checkpoints, the same for all versions of Parley; null for an absent file. */
export function shortDigest(content: Content): string | null {
  return content.kind === 'absent' ? null : content.digest.slice(0, 32);
}

/** True if the user may execute the file; undefined if that is not known. */
export function isProgramIn(content: Content): boolean | undefined {
  return content.kind === 'absent' || content.mode === undefined ? undefined : (content.mode & 0o111) !== 0;
}

/** Sets or clears the execute bits. Everybody who may read the file may then execute it. */
export function withProgram(mode: number, isProgram: boolean): number {
  return isProgram ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

/** True if both files are executable, or neither is. Unknown permissions count as the same. */
export function isSameMode(a: Content, b: Content): boolean {
  const [first, second] = [isProgramIn(a), isProgramIn(b)];
  return first === undefined || second === undefined || first === second;
}

/** True if content, permissions and storage form are the same, as far as they are known. */
export function isSameFile(a: Content, b: Content): boolean {
  return isSameContent(a, b) && isSameMode(a, b) && isSameForm(a, b);
}

/** True if Parley has the bytes to restore this content. */
export function canBringBack(content: Content | undefined): boolean {
  return content !== undefined && (content.kind === 'absent' || content.stored !== undefined);
}

/** True for a file over the size limit of the store. Its digest is not that of its bytes. */
export function isTooLarge(content: Content): boolean {
  return content.kind === 'binary' && !isContentName(content.digest);
}

/** True for a SHA-256. Names of contents become names of files, so nothing else is accepted. */
export function isContentName(name: string): boolean {
  return /^[\da-f]{64}$/.test(name);
}

/** The stored contents of an entry, except those of its change as a whole. */
export function storedInEntry(entry: StoredEntry | undefined): readonly Stored[] {
  return entry ? [entry, ...(entry.baseline ? [entry.baseline] : [])] : [];
}

/** The stored bytes of a content. */
export function storedIn(content: Content | undefined): readonly Stored[] {
  return content && content.kind !== 'absent' && content.stored ? [content.stored] : [];
}
