import { mkdir } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import type { ChangeLog } from '../thread/changes';
import { editDocument, saveDocument } from './documentEdits';
import { fileState } from './fileContent';

/**
 * Carries out `log.planUndo` for one file, through its document where there is one, so that Ctrl+Z takes the undo back.
 * @returns what could not be undone, as a sentence for the person.
 */
export async function undoChange(log: ChangeLog, path: string, label: string, confirm: (message: string, action: string) => Promise<boolean>): Promise<string | undefined> {
  const plan = log.planUndo(path);
  if (!plan) return undefined;
  const uri = vscode.Uri.file(path);
  if (plan.text === undefined) {
    if (plan.losesEdits && !(await confirm(`You have edited ${label} since the agent created it. Delete it?`, 'Delete'))) return undefined;
    await deleteFile(uri, path);
    log.undone(path, undefined);
    return undefined;
  }
  if ((await fileState(path)) === 'missing') {
    await mkdir(nodePath.dirname(path), { recursive: true });
    await vscode.workspace.fs.writeFile(uri, await vscode.workspace.encode(plan.text, { uri }));
    log.undone(path, plan.text);
    return undefined;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const hadUnsaved = document.isDirty;
  await editDocument(document, plan.text);
  // What the person has not saved yet is not ours to save.
  if (!hadUnsaved) await saveDocument(document);
  log.undone(path, document.getText());
  if (plan.conflicts === 0) return undefined;
  const places = plan.conflicts === 1 ? 'One place' : `${plan.conflicts} places`;
  return `${places} in ${label} stayed: you have edited the same lines since.`;
}

async function deleteFile(uri: vscode.Uri, path: string): Promise<void> {
  if ((await fileState(path)) === 'missing') return;
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
  } catch {
    // Remote machines have no trash.
    await vscode.workspace.fs.delete(uri, { useTrash: false });
  }
}
