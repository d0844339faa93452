import type { TextForm } from './textForm';

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

/** What a file contains, or contained at some moment, without the bytes. */
export type Content = { readonly kind: 'absent' } | FilledContent;

/** The same of a file that exists. */
export interface FilledContent {
  readonly kind: 'text' | 'binary';
  /** The SHA-256 of a text with `\n` line ends in UTF-8, or of bytes. Of a huge file: its size and time. */
  readonly digest: string;
  /** Permission bits, where they are known. */
  readonly mode?: number | undefined;
  /** How a text is stored in its file, where that is known. */
  readonly form?: TextForm | undefined;
  /** Absent if the bytes were not stored, because there were too many. */
  readonly stored?: Stored | undefined;
  /** The stored bytes are the text in UTF-8 with `\n`, because those of the file were not at hand. */
  readonly isDecoded?: boolean | undefined;
}

export const absent = { kind: 'absent' } as const;

/** Compares texts with `\n` line ends, and bytes. Permissions (`isSameMode`) and `isSameForm` are no difference. */
export function isSameContent(a: Content, b: Content): boolean {
  return a.kind === 'absent' || b.kind === 'absent' ? a.kind === b.kind : a.kind === b.kind && a.digest === b.digest;
}

/** The name of a content in the log of checkpoints, the same for all versions of Parley; null if there is no file. */
export function shortDigest(content: Content): string | null {
  return content.kind === 'absent' ? null : content.digest.slice(0, 32);
}

/** Whether the user may run the file as a program; undefined if that is not known. */
export function isProgramIn(content: Content): boolean | undefined {
  return content.kind === 'absent' || content.mode === undefined ? undefined : (content.mode & 0o111) !== 0;
}

/** Permission bits that make a file a program, or none. Everybody who may read it may run it then. */
export function withProgram(mode: number, isProgram: boolean): number {
  return isProgram ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

/** Whether both are programs, or neither is. Unknown permissions are no difference. */
export function isSameMode(a: Content, b: Content): boolean {
  const [first, second] = [isProgramIn(a), isProgramIn(b)];
  return first === undefined || second === undefined || first === second;
}

/** Whether Parley can give a file this content again. */
export function canBringBack(content: Content | undefined): boolean {
  return content !== undefined && (content.kind === 'absent' || content.stored !== undefined);
}

/** Whether a file is larger than any that Parley stores. Then its digest is not that of its bytes. */
export function isTooLarge(content: Content): boolean {
  return content.kind === 'binary' && !isContentName(content.digest);
}

/** Whether this is a SHA-256. Names of contents become names of files. */
export function isContentName(name: string): boolean {
  return /^[\da-f]{64}$/.test(name);
}

/** All that an entry needs in the store, but for its change as a whole. */
export function storedInEntry(entry: StoredEntry | undefined): readonly Stored[] {
  return entry ? [entry, ...(entry.baseline ? [entry.baseline] : [])] : [];
}

/** The stored bytes of a content. */
export function storedIn(content: Content | undefined): readonly Stored[] {
  return content && content.kind !== 'absent' && content.stored ? [content.stored] : [];
}
