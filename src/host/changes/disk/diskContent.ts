import type { Stats } from 'node:fs';
import { type FileHandle, lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { Clock } from '../../../base/scheduler';
import {
  DOUBTFUL_QUIET_MS,
  lookSettled,
  openedFile,
  QUIET_MS,
  readAt,
  type Sight,
  stampOf,
} from '../../../node/settledFiles';
import { withLineFeeds } from '../../../changes/lineFeeds';
import type { TextForm } from '../../../changes/textForm';
import { keptIn, MAX_KEPT_BYTES } from '../../storage/byteFolder';
import { sha256 } from '../../storage/contentName';
import { openDocument } from '../../files/documentEdits';
import { MAX_FILE_BYTES } from '../../files/fileContent';
import { encodingName, fileText } from '../../files/fileText';
import { realOf } from '../../files/realPath';

/** Of binary files up to this size the bytes are held in memory, for Undo. Bytes. */
const MAX_HELD_BYTES = 1024 * 1024;

/**
 * What a file holds. `text` has `\n` line ends; `bytes` are there for texts that were read from disk, and for small
 * files; `copy` is a file that nobody changes and that holds the same. Binary is also what is no valid text in its
 * encoding. The digest of a binary file is its SHA-256, of one beyond `MAX_KEPT_BYTES` it is made of size and time.
 * `mode`: permission bits, where they are known.
 */
export type FileContent =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly form?: TextForm;
      readonly bytes?: Buffer;
      readonly mode?: number | undefined;
    }
  | {
      readonly kind: 'binary';
      readonly digest: string;
      readonly bytes?: Buffer;
      readonly mode?: number | undefined;
      readonly copy?: CopiedFile;
    };

/** A copy of a file. `file` is absolute. */
export interface CopiedFile {
  readonly file: string;
  readonly size: number;
}

/**
 * A look at the disk. `changedAt`: when name, content or permissions changed last, epoch ms; absent where there is
 * nothing. `goneBy`: the latest time at which an absent file can have been deleted, where that is known. `alsoAt`: when
 * the file was made, and when its content changed.
 */
export type Look =
  | {
      readonly kind: 'file';
      readonly content: FileContent;
      readonly changedAt: number | undefined;
      readonly goneBy?: number | undefined;
      readonly alsoAt?: readonly number[];
    }
  | { readonly kind: 'folder' }
  | { readonly kind: 'other' };

export const absent: FileContent = { kind: 'absent' };

/**
 * When a file changed last, epoch ms; undefined where there is none. Unlike the time of modification a program cannot
 * set it.
 */
export async function changedAt(path: string): Promise<number | undefined> {
  return (await lstat(path).catch(() => undefined))?.ctimeMs;
}

/** When the nearest existing folder above a path changed. A missing file was deleted at that time or before. */
async function changedIn(path: string): Promise<number | undefined> {
  const folder = nodePath.dirname(path);
  return folder === path ? undefined : ((await changedAt(folder)) ?? changedIn(folder));
}

/** Whether there is nothing at a path; false also where that cannot be found out. */
export async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR',
  );
}

/**
 * Looks at what stands at a path just now, which may be half of what is being written. Links, also on the way, and
 * devices are `other`: their target is a file of its own. Of what is gone the folder tells when that was, at the
 * latest.
 */
export async function lookNow(path: string): Promise<Sight<Look>> {
  try {
    return await openedFile(await realOf(path), async (file): Promise<Sight<Look>> => {
      const stats = file.opened;
      const { ctimeMs } = stats;
      const alsoAt = [stats.mtimeMs, stats.birthtimeMs];
      const mode = stats.mode & 0o777;
      if (stats.size > MAX_FILE_BYTES) {
        const { digest, stamp } = await digestOfLarge(path, stats, file.handle);
        return {
          value: { kind: 'file', content: { kind: 'binary', digest, mode }, changedAt: ctimeMs, alsoAt },
          stamp,
          changedAt: ctimeMs,
        };
      }
      const { value, stamp, changedAt } = await readAt(file);
      return {
        value: { kind: 'file', content: await contentOf(path, value, mode), changedAt, alsoAt },
        stamp,
        changedAt,
      };
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      // The times of a link, and of the folder it leads to, say nothing about the deletion.
      const goneBy = (await realOf(path).catch(() => undefined)) === path ? await changedIn(path) : undefined;
      return {
        value: { kind: 'file', content: absent, changedAt: undefined, goneBy },
        stamp: 'absent',
        changedAt: await changedAt(nodePath.dirname(path)),
      };
    }
    if (code === 'EISDIR') return { value: { kind: 'folder' }, stamp: 'folder', changedAt: 0 };
    return { value: { kind: 'other' }, stamp: 'other', changedAt: 0 };
  }
}

/**
 * Looks at files once nobody is writing them any more.
 * @param expected what a file held before, where that is known: one that has lost its end or is gone may be written
 * just now.
 */
export function lookAt(
  paths: readonly string[],
  expected: (path: string) => FileContent | undefined,
  clock: Clock,
): Promise<Map<string, Look>> {
  return lookSettled(paths, { look: lookNow, quietMs: (path, look) => quietMs(look, expected(path)), clock });
}

/**
 * How long a file must have been like this before it is believed, ms.
 * @param before what it held, where that is known
 */
export function quietMs(look: Look, before: FileContent | undefined): number {
  return look.kind !== 'file' ? 0 : isDoubtful(look.content, before) ? DOUBTFUL_QUIET_MS : QUIET_MS;
}

function isDoubtful(content: FileContent, before: FileContent | undefined): boolean {
  if (content.kind === 'absent') return before?.kind !== 'absent';
  return (
    content.kind === 'text' &&
    (content.text === '' ||
      (before?.kind === 'text' && content.text.length < before.text.length && before.text.startsWith(content.text)))
  );
}

/** The digest of a large file and what it was like then; read once for as long as it stays like that. */
async function digestOfLarge(
  path: string,
  stats: Stats,
  file: FileHandle,
): Promise<{ readonly digest: string; readonly stamp: string | undefined }> {
  const stamp = stampOf(stats);
  if (stats.size > MAX_KEPT_BYTES) return { digest: digestOfHuge(stats.size, stats.mtimeMs), stamp };
  const known = largeDigests.get(path);
  if (known?.stamp === stamp) return known;
  const { name: digest } = await keptIn(file);
  if (stampOf(await file.stat()) !== stamp) return { digest, stamp: undefined };
  largeDigests.delete(path);
  largeDigests.set(path, { digest, stamp });
  for (const oldest of largeDigests.keys()) if (largeDigests.size > MAX_DIGESTS) largeDigests.delete(oldest);
  return { digest, stamp };
}

/** What tells contents beyond `MAX_KEPT_BYTES` apart, without reading them. */
export function digestOfHuge(size: number, mtimeMs: number): string {
  return `${size} ${mtimeMs}`;
}

const MAX_DIGESTS = 100;
const largeDigests = new Map<string, { readonly digest: string; readonly stamp: string }>();

/** Decodes bytes as VS Code would for this file. @param maxHeld up to this size the bytes of a binary file are held. */
export async function contentOf(
  path: string,
  bytes: Buffer,
  mode: number | undefined,
  maxHeld = MAX_HELD_BYTES,
): Promise<FileContent> {
  const found = bytes.length > MAX_FILE_BYTES ? undefined : await fileText(path, bytes, openDocument(path)?.encoding);
  if (!found?.encoding)
    return { kind: 'binary', digest: sha256(bytes), mode, ...(bytes.length <= maxHeld ? { bytes } : {}) };
  const { text, ends, encoding } = found;
  return {
    kind: 'text',
    text: withLineFeeds(text),
    form: { encoding: encodingName(encoding) ?? '', ends },
    bytes,
    mode,
  };
}

/** The same of what is known to be text, with `\n` line ends. */
export function contentOfText(text: string | undefined): FileContent {
  return text === undefined ? absent : { kind: 'text', text };
}

/** What tells contents apart; undefined where there is none. */
export function keyOf(content: FileContent): string | undefined {
  return content.kind === 'text' ? content.text : content.kind === 'binary' ? content.digest : undefined;
}

/** Permissions, for which see `isSameMode`, and how a text is stored (`isSameForm`), are no difference. */
export function sameContent(a: FileContent, b: FileContent): boolean {
  // The same bytes are another text where the document with their encoding was closed.
  if (a.kind !== b.kind && a.kind !== 'absent' && b.kind !== 'absent')
    return a.bytes !== undefined && b.bytes?.equals(a.bytes) === true;
  if (a.kind === 'text') return b.kind === 'text' && a.text === b.text;
  if (a.kind === 'binary') return b.kind === 'binary' && a.digest === b.digest;
  return b.kind === 'absent';
}

/** How much memory a content takes, about. Bytes. */
export function sizeOf(content: FileContent): number {
  if (content.kind === 'absent') return 50;
  return (content.bytes?.length ?? 100) + (content.kind === 'text' ? content.text.length * 2 : 0);
}
