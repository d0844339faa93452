import { chmod, mkdir } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { type CarryOutOptions, deleteFile } from './carryOut';
import { editDocument, saveDocument } from './documentEdits';
import { fileState } from './fileContent';
import { followsDisk, replaceOnDisk } from './staleDocument';

/**
 * Makes a file hold `text`, or be gone, through its document where it exists, so that Ctrl+Z takes it back.
 * @returns what stands there then; undefined: no file.
 * @throws Error where it cannot be written.
 */
export async function putFile(path: string, text: string | undefined, { originalOf, wrote }: Omit<CarryOutOptions, 'confirmDelete'>): Promise<string | undefined> {
  const uri = vscode.Uri.file(path);
  if (text === undefined) {
    await deleteFile(uri, path);
    wrote(undefined);
    return undefined;
  }
  if ((await fileState(path)) === 'missing') {
    await mkdir(nodePath.dirname(path), { recursive: true });
    const original = originalOf(text);
    await vscode.workspace.fs.writeFile(uri, original?.bytes ?? (await vscode.workspace.encode(text, { uri })));
    wrote(text);
    if (original?.mode !== undefined) await chmod(path, original.mode);
    return text;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  if (!document.isDirty && !(await followsDisk(document, path))) {
    const after = await replaceOnDisk(document, path, text);
    wrote(after);
    return after;
  }
  const hadUnsaved = document.isDirty;
  await editDocument(document, text);
  // What the person has not saved yet is not ours to save.
  if (!hadUnsaved) {
    await saveDocument(document);
    wrote(document.getText());
  }
  return document.getText();
}
