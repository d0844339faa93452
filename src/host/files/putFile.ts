import * as vscode from 'vscode';
import { withLineFeeds } from '../../review/lineEdits';
import { type CarryOutOptions, createFile, deleteFile, readOnly } from '../review/carryOut';
import { diskText, fileState } from './fileContent';
import { followsDisk, putText, replaceOnDisk, waitForRest } from './staleDocument';
import { putUnopened } from './unopenedFile';
import { refuseUnsavedElsewhere } from './unsavedWork';

interface PutOptions extends Pick<CarryOutOptions, 'originalOf' | 'wrote'> {
  /** What stands in the file, where it is one of so many that no document is made for it. */
  readonly over?: string | undefined;
}

/**
 * Makes a file hold `text`, or be gone, through its document where it exists, so that Ctrl+Z takes it back.
 * @returns what stands there then; undefined: no file.
 * @throws Error where it cannot be written.
 */
export async function putFile(path: string, text: string | undefined, { originalOf, wrote, over }: PutOptions): Promise<string | undefined> {
  const uri = vscode.Uri.file(path);
  refuseUnsavedElsewhere(path);
  if (text === undefined) {
    await deleteFile(uri, path);
    wrote(undefined);
    return undefined;
  }
  const state = await fileState(path);
  if (state === 'readOnly') throw readOnly();
  if (state === 'missing') {
    await createFile(path, text, { originalOf, wrote });
    return text;
  }
  if (over !== undefined && text.includes('\r') === over.includes('\r') && (await putUnopened(path, withLineFeeds(over), withLineFeeds(text), await originalOf(text)))) {
    wrote(text);
    return text;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const standing = await diskText(path, document);
  if (!document.isDirty) await waitForRest(document, path);
  if (!document.isDirty && !(await followsDisk(document, path))) {
    const after = await replaceOnDisk(document, path, text, standing);
    wrote(after);
    return after;
  }
  if (await putText(document, path, text)) wrote(document.getText());
  return document.getText();
}
