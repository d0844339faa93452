import type { Stats } from 'node:fs';
import { type FileHandle, lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Clock } from '../../base/scheduler';
import { absent, type Content } from '../../changes/content';
import { lineEndsOf } from '../../changes/lineEnds';
import {
  DOUBTFUL_QUIET_MS,
  lookSettled,
  openedFile,
  QUIET_MS,
  readAt,
  type Sight,
  stampOf,
} from '../../node/settledFiles';
import { systemClock } from '../platform/clock';
import { sha256 } from '../storage/contentName';
import { bytesIn, type ContentStore, MAX_STORED_BYTES } from '../storage/contentStore';
import { documentAt, openDocument } from './documentEdits';
import { currentText, MAX_FILE_BYTES } from './fileContent';
import { encodingName, fileText } from './fileText';
import { realOf } from './realPath';
import { type ContentInHand, contentOfText } from '../storage/contentInHand';

/** Of binary files up to this size the bytes are held in memory, for Undo. Bytes. */
const MAX_HELD_BYTES = 1024 * 1024;

/**
 * A look at the disk. `changedAt`: when name, content or permissions changed last, epoch ms; absent where there is
 * nothing. `goneBy`: the latest time at which an absent file can have been deleted, where that is known. `alsoAt`: when
 * the file was made, and when its content changed.
 */
export type Look =
  | {
      readonly kind: 'file';
      readonly content: ContentInHand;
      readonly changedAt: number | undefined;
      readonly goneBy?: number | undefined;
      readonly alsoAt?: readonly number[];
    }
  | { readonly kind: 'folder' }
  | { readonly kind: 'other' };

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

/** True if there is nothing at a path; false also if that cannot be found out. */
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
  expected: (path: string) => ContentInHand | undefined,
  clock: Clock,
): Promise<Map<string, Look>> {
  return lookSettled(paths, { look: lookNow, quietMs: (path, look) => quietMs(look, expected(path)), clock });
}

/**
 * How long a file must have been like this before it is believed, ms.
 * @param before what it held, where that is known
 */
export function quietMs(look: Look, before: ContentInHand | undefined): number {
  return look.kind !== 'file' ? 0 : isDoubtful(look.content, before) ? DOUBTFUL_QUIET_MS : QUIET_MS;
}

function isDoubtful(content: ContentInHand, before: ContentInHand | undefined): boolean {
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
  if (stats.size > MAX_STORED_BYTES) return { digest: digestOfHuge(stats.size, stats.mtimeMs), stamp };
  const known = largeDigests.get(path);
  if (known?.stamp === stamp) return known;
  const { name: digest } = await bytesIn(file);
  if (stampOf(await file.stat()) !== stamp) return { digest, stamp: undefined };
  largeDigests.delete(path);
  largeDigests.set(path, { digest, stamp });
  for (const oldest of largeDigests.keys()) if (largeDigests.size > MAX_DIGESTS) largeDigests.delete(oldest);
  return { digest, stamp };
}

/** Tells contents over `MAX_STORED_BYTES` apart without reading them. */
export function digestOfHuge(size: number, mtimeMs: number): string {
  return `${size} ${mtimeMs}`;
}

const MAX_DIGESTS = 100;
const largeDigests = new Map<string, { readonly digest: string; readonly stamp: string }>();

/**
 * Decodes bytes as VS Code would for this file. Binary is also what is no valid text in its encoding.
 * @param maxHeld up to this size the bytes of a binary file are in hand
 */
export async function contentOf(
  path: string,
  bytes: Buffer,
  mode: number | undefined,
  maxHeld = MAX_HELD_BYTES,
): Promise<ContentInHand> {
  const found = bytes.length > MAX_FILE_BYTES ? undefined : await fileText(path, bytes, openDocument(path)?.encoding);
  if (!found?.encoding)
    return { kind: 'binary', digest: sha256(bytes), mode, ...(bytes.length <= maxHeld ? { bytes } : {}) };
  const { text, ends, encoding } = found;
  return { ...contentOfText(text), form: { encoding: encodingName(encoding) ?? '', ends }, bytes, mode };
}

/**
 * The content that a user sees in a file: its unsaved text, or the disk. Looks at the disk once, when nobody writes it
 * any more.
 * @param expected the text that the file had, if that is known: a program may be writing a file that lost its end
 * @throws as `currentText`
 */
export async function standingContent(path: string, expected?: string): Promise<ContentInHand> {
  const document = await documentAt(path, await realOf(path));
  const before = contentOfText(expected);
  // While thousands of files come back, Parley waits for none that does not exist yet.
  const quiet = (_: string, look: Look) =>
    expected === undefined && !(look.kind === 'file' && look.content.kind === 'text') ? 0 : quietMs(look, before);
  const found = await lookSettled([path], { look: lookNow, quietMs: quiet, clock: systemClock });
  const look = found.get(path)!;
  const content = look.kind === 'file' ? look.content : undefined;
  if (content && (content.kind === 'binary' || !document?.isDirty)) return content;
  // A folder has an error of its own.
  const text = await currentText(path);
  if (text === undefined) return absent;
  const mode = content?.kind === 'text' ? content.mode : undefined;
  return { ...contentOfText(text), form: { encoding: document?.encoding ?? '', ends: lineEndsOf(text) }, mode };
}

/**
 * A binary content with its bytes in hand, also if there are many.
 * @param path where the content is @returns the same without bytes if they are too many, or the file has others now
 */
export async function withBytes(path: string, content: ContentInHand): Promise<ContentInHand> {
  if (content.kind !== 'binary' || content.bytes) return content;
  return openedFile(await realOf(path), async (file) => {
    if (file.opened.size > MAX_STORED_BYTES) return content;
    const { value } = await readAt(file);
    return sha256(value) === content.digest ? { ...content, bytes: value } : content;
  });
}

/** A stored content with its text and bytes. @throws Error if its bytes are missing */
export async function readStored(path: string, content: Content, contents: ContentStore): Promise<ContentInHand> {
  if (content.kind === 'absent') return absent;
  const { stored, mode, form } = content;
  if (!stored) {
    if (content.kind === 'binary') return { ...content, kind: 'binary' };
    throw new Error(l10n.t('it was too large to be stored'));
  }
  const bytes = await contents.read(stored);
  if (!content.isDecoded) {
    const read = await contentOf(path, bytes, mode, bytes.length);
    return read.kind === 'absent' ? read : { ...read, stored };
  }
  const text = bytes.toString('utf8');
  const ends = text.includes('\r\n') ? '\r\n' : form?.ends;
  return {
    ...contentOfText(text),
    mode,
    stored,
    isDecoded: true,
    ...(ends === undefined ? {} : { form: { encoding: form?.encoding ?? '', ends } }),
  };
}

/** How much memory a content takes, about. Bytes. */
export function sizeOf(content: ContentInHand): number {
  if (content.kind === 'absent') return 50;
  return (content.bytes?.length ?? 100) + (content.kind === 'text' ? content.text.length * 2 : 0);
}
