import { documentAt } from '../files/documentEdits';
import { type FileState, fileState } from '../files/fileContent';
import { realOf } from '../files/realPath';
import { refuseUnsavedElsewhere } from '../files/unsavedWork';
import { bringFile, deleteFile, readOnly } from './applyDecision';
import type { OriginalFile } from './originals';
import { writableFile, type WriteOptions } from './writableFile';

/**
 * Makes a file hold `text`, or be gone, through its document where it is open, so that Ctrl+Z takes it back.
 * @param original what it contains, where the caller has read it just now. @returns the text of the file afterwards; undefined: no file.
 * @throws Error where it cannot be written.
 */
export async function putFile(path: string, text: string | undefined, options: WriteOptions, original?: OriginalFile): Promise<string | undefined> {
  refuseUnsavedElsewhere(path);
  if (text === undefined) {
    await deleteFile(path);
    options.wrote(undefined);
    return undefined;
  }
  const real = await realOf(path);
  const state = original && !(await documentAt(path, real)) ? stateOf(original) : await fileState(path, real);
  if (state === 'readOnly') throw readOnly();
  if (state === 'missing') {
    await bringFile(path, text, options);
    return text;
  }
  const file = await writableFile(path, real, options, original?.bytes);
  return file.put(text).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS' ? readOnly() : error;
  });
}

function stateOf({ mode }: OriginalFile): FileState {
  return mode !== undefined && (mode & 0o222) === 0 ? 'readOnly' : 'file';
}
