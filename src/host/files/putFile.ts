import * as vscode from 'vscode';
import { bringFile, type CarryOutOptions, deleteFile, readOnly } from '../review/carryOut';
import { closedFile } from './closedFile';
import { documentAt } from './documentEdits';
import { diskText, fileState } from './fileContent';
import { realOf } from './realPath';
import { followsDisk, putText, replaceOnDisk, waitForRest } from './staleDocument';
import { refuseUnsavedElsewhere } from './unsavedWork';

/**
 * Makes a file hold `text`, or be gone, through its document where it is open, so that Ctrl+Z takes it back.
 * @returns what stands there then; undefined: no file.
 * @throws Error where it cannot be written.
 */
export async function putFile(path: string, text: string | undefined, { originalOf, wrote }: Pick<CarryOutOptions, 'originalOf' | 'wrote'>): Promise<string | undefined> {
  refuseUnsavedElsewhere(path);
  if (text === undefined) {
    await deleteFile(path);
    wrote(undefined);
    return undefined;
  }
  const real = await realOf(path);
  const state = await fileState(path, real);
  if (state === 'readOnly') throw readOnly();
  if (state === 'missing') {
    await bringFile(path, text, { originalOf, wrote });
    return text;
  }
  const open = await documentAt(path, real);
  const closed = open ? undefined : await closedFile(path, real);
  if (closed) {
    await closed.replace(text, (await originalOf(text))?.bytes);
    wrote(text);
    return text;
  }
  const document = open ?? (await vscode.workspace.openTextDocument(vscode.Uri.file(path)));
  const standing = await diskText(path, document, real);
  if (!document.isDirty) await waitForRest(document, path);
  if (!document.isDirty && !(await followsDisk(document, path, real))) {
    const after = await replaceOnDisk(document, path, real, text, standing);
    wrote(after);
    return after;
  }
  const saved = await putText(document, path, real, text);
  if (saved !== undefined) wrote(saved);
  return saved ?? document.getText();
}
