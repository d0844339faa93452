import * as l10n from '@vscode/l10n';
import { withLineFeeds } from '../../changes/lineFeeds';
import { createFile, type Expected, removeFile } from '../../node/changeFiles';
import { documentAt, openDocument } from '../files/documentEdits';
import { fileState, isOnlyUnsaved, readOnly } from '../files/fileContent';
import { ChangedMeanwhileError, fileOnDisk } from '../files/fileOnDisk';
import { encodedNew, fileText } from '../files/fileText';
import { putText } from '../files/putText';
import { realOf } from '../files/realPath';
import { followsDisk } from '../files/staleDocument';
import { refuseUnsavedElsewhere } from '../files/unsavedWork';
import type { OriginalFile } from './originals';

/** How a file is written on disk. */
export interface WriteOptions {
  /**
   * The file that held this text, where it is known: what is brought back keeps encoding, line ends and permissions.
   */
  readonly originalOf: (text: string) => Promise<OriginalFile | undefined>;
  /** Keeps the file as it is now, because the new bytes would not tell how it was. */
  readonly keepOriginal: (text: string, bytes: Buffer) => void;
  /** Told of what the file on disk holds, at once when it was written. */
  readonly wrote: (text: string | undefined) => void;
}

/** A file that is about to be written by Undo or Restore. */
export interface WritableFile {
  /** Unsaved text where there is some; undefined where there is no file. */
  readonly text: string | undefined;
  /**
   * Makes the file hold another text: byte by byte as it was where that is known, else in the encoding and with the
   * line ends of the file. Its document is edited where there is one, so that Ctrl+Z takes it back, and saved where it
   * had nothing unsaved. Where a save would change more than the text, the file is replaced, and its document reads it
   * again.
   * @param before a text from which lines come back.
   * @returns what it holds then.
   * @throws Error where it cannot be written.
   */
  put(text: string, before?: string): Promise<string>;
}

/**
 * @param read what the file contains, where the caller has read it just now.
 * @throws Error where it is no text, or may not be written.
 */
export async function writableFile(path: string, options: WriteOptions, read?: OriginalFile): Promise<WritableFile> {
  refuseUnsavedElsewhere(path);
  const real = await realOf(path);
  const document = await documentAt(path, real);
  const isWritable = read?.mode === undefined || (read.mode & 0o222) !== 0;
  const state = read && !document ? (isWritable ? 'file' : 'readOnly') : await fileState(path, real);
  if (state === 'readOnly') throw readOnly();
  if (state === 'missing') return { text: undefined, put: (text) => bringFile(path, real, text, options) };
  const { originalOf, keepOriginal, wrote } = options;
  const isFollowed = document !== undefined && (await followsDisk(document, path, real));
  const file = await fileOnDisk(path, real, document, document ? undefined : read?.bytes);
  const now = document && isFollowed ? document.getText() : file.text;
  const put = async (text: string, before?: string): Promise<string> => {
    const original = (await originalOf(text))?.bytes;
    const alike = await file
      .bytesOf(text, file.ends !== 'mixed' || before === undefined ? undefined : (await originalOf(before))?.bytes)
      .catch((error: unknown) => {
        if (!original) throw error;
        return undefined;
      });
    const fresh = original ?? alike!;
    const isAlike = alike?.equals(fresh) === true;
    if (document && isFollowed && (document.isDirty || (file.isSavedBy(document) && isAlike))) {
      if (document.getText() !== now) throw new ChangedMeanwhileError();
      const saved = await putText(document, path, real, text);
      if (saved !== undefined) wrote(saved);
      return saved ?? document.getText();
    }
    if (file.ends === 'mixed' || !isAlike) keepOriginal(file.text, file.bytes);
    await file.replace(fresh);
    wrote(text);
    return text;
  };
  return {
    text: now,
    put: (text, before) =>
      put(text, before).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS' ? readOnly() : error;
      }),
  };
}

/**
 * Makes a file hold a text, or be gone; see `WritableFile.put`.
 * @returns the text of the file afterwards; undefined: no file.
 */
export async function putFile(
  path: string,
  text: string | undefined,
  options: WriteOptions,
  read?: OriginalFile,
): Promise<string | undefined> {
  if (text !== undefined) return (await writableFile(path, options, read)).put(text);
  await takeAway(path, options, read && ((now) => now.equals(read.bytes)));
  return undefined;
}

/**
 * Removes a file that holds this text, `\n` line ends.
 * @throws Error where it holds another one, or cannot be removed.
 */
export async function removeText(path: string, text: string | undefined, options: WriteOptions): Promise<void> {
  // Unsaved text is what the user sees and has agreed to.
  if (openDocument(path)?.isDirty) return takeAway(path, options);
  await takeAway(path, options, async (now) => {
    const found = await fileText(path, now, openDocument(path)?.encoding);
    return found?.encoding !== undefined && withLineFeeds(found.text) === text;
  });
}

async function takeAway(path: string, { wrote }: WriteOptions, isExpected?: Expected): Promise<void> {
  refuseUnsavedElsewhere(path);
  // What it held was kept before, so no trash is needed.
  if (!(await removeFile(await realOf(path), isExpected))) throw new ChangedMeanwhileError();
  wrote(undefined);
}

/** Writes a file that is not there. @throws Error where its editor has text that is not saved. */
async function bringFile(
  path: string,
  real: string,
  text: string,
  { originalOf, wrote }: WriteOptions,
): Promise<string> {
  const original = await originalOf(text);
  if (await isOnlyUnsaved(path))
    throw new Error(l10n.t('it was deleted, but its editor has unsaved changes. Save or close the editor first.'));
  const bytes = original?.bytes ?? (await encodedNew(path, text));
  await createFile(real, bytes, original?.mode).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new ChangedMeanwhileError() : error;
  });
  wrote(text);
  return text;
}
