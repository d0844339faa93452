import { fileState } from '../files/fileContent';
import { realOf } from '../files/realPath';
import { refuseUnsavedElsewhere } from '../files/unsavedWork';
import { bringFile, deleteFile, readOnly } from './applyDecision';
import { writableFile, type WriteOptions } from './writableFile';

/**
 * Makes a file hold `text`, or be gone, through its document where it is open, so that Ctrl+Z takes it back.
 * @returns the text of the file afterwards; undefined: no file.
 * @throws Error where it cannot be written.
 */
export async function putFile(path: string, text: string | undefined, options: WriteOptions): Promise<string | undefined> {
  refuseUnsavedElsewhere(path);
  if (text === undefined) {
    await deleteFile(path);
    options.wrote(undefined);
    return undefined;
  }
  const real = await realOf(path);
  const state = await fileState(path, real);
  if (state === 'readOnly') throw readOnly();
  if (state === 'missing') {
    await bringFile(path, text, options);
    return text;
  }
  return (await writableFile(path, real, options)).put(text);
}
