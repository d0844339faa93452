import { documentAt } from '../files/documentEdits';
import { changedMeanwhile, fileOnDisk } from '../files/fileOnDisk';
import { followsDisk, putText, waitForRest } from '../files/staleDocument';
import type { OriginalFile } from './originals';

/** How a file is written on disk. */
export interface WriteOptions {
  /** The file that held this text, where it is known: what is brought back keeps encoding, line ends and permissions. */
  readonly originalOf: (text: string) => Promise<OriginalFile | undefined>;
  /** Keeps the file as it is now, because the new bytes would not tell how it was. */
  readonly keepOriginal: (text: string, bytes: Buffer) => void;
  /** Told of what the file on disk holds, at once when it was written. */
  readonly wrote: (text: string | undefined) => void;
}

/** A text file that is there, about to be written by Undo or Restore. */
export interface WritableFile {
  /** Unsaved text where there is some. */
  readonly text: string;
  /**
   * Makes the file hold another text: byte by byte as it was where that is known, else in the encoding and with the line ends of the file. Its
   * document is edited where there is one, so that Ctrl+Z takes it back, and saved where it had nothing unsaved. Where a save would change more
   * than the text, the file is replaced, and its document reads it again.
   * @param before a text from which lines come back. @returns what it holds then. @throws Error where it cannot be written.
   */
  put(text: string, before?: string): Promise<string>;
}

/** @param real absolute, links resolved. @param bytes what is on disk, where the caller has read it just now. @throws Error where it is no text. */
export async function writableFile(path: string, real: string, { originalOf, keepOriginal, wrote }: WriteOptions, bytes?: Buffer): Promise<WritableFile> {
  const document = await documentAt(path, real);
  if (document?.isDirty === false) await waitForRest(document, path);
  const file = await fileOnDisk(path, real, document, document ? undefined : bytes);
  const isFollowed = document !== undefined && (await followsDisk(document, path, real));
  const now = document && isFollowed ? document.getText() : file.text;
  return {
    text: now,
    put: async (text, before) => {
      const original = (await originalOf(text))?.bytes;
      const alike = await file.bytesOf(text, file.ends !== 'mixed' || before === undefined ? undefined : (await originalOf(before))?.bytes).catch((error: unknown) => {
        if (!original) throw error;
        return undefined;
      });
      const fresh = original ?? alike!;
      const isAlike = alike?.equals(fresh) === true;
      if (document && isFollowed && (document.isDirty || (file.isSavedBy(document) && isAlike))) {
        if (document.getText() !== now) throw changedMeanwhile();
        const saved = await putText(document, path, real, text);
        if (saved !== undefined) wrote(saved);
        return saved ?? document.getText();
      }
      if (file.ends === 'mixed' || !isAlike) keepOriginal(file.text, file.bytes);
      await file.replace(fresh);
      wrote(text);
      return text;
    },
  };
}
