import { mkdir } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import type { Ledger, Wish } from '../review/ledger';
import { editDocument, saveDocument } from './documentEdits';
import { fileState } from './fileContent';

/**
 * Carries out `ledger.plan` for one file, or for some of its hunks, through its document where there is one, so that
 * Ctrl+Z takes it back.
 * @returns the hunks that stayed because the person has edited them since.
 */
export async function carryOut(
  ledger: Ledger,
  path: string,
  wish: Wish,
  ids: readonly string[] | undefined,
  confirmDelete: () => Promise<boolean>,
): Promise<readonly string[]> {
  const plan = ledger.plan(path, wish, ids);
  if (!plan) return [];
  const uri = vscode.Uri.file(path);
  if (plan.text === undefined) {
    if (plan.losesEdits && !(await confirmDelete())) return [];
    await deleteFile(uri, path);
    ledger.done(path, wish, undefined, ids);
    return [];
  }
  if ((await fileState(path)) === 'missing') {
    await mkdir(nodePath.dirname(path), { recursive: true });
    await vscode.workspace.fs.writeFile(uri, await vscode.workspace.encode(plan.text, { uri }));
    ledger.done(path, wish, plan.text, ids);
    return plan.conflicts;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const hadUnsaved = document.isDirty;
  await editDocument(document, plan.text);
  // What the person has not saved yet is not ours to save.
  if (!hadUnsaved) await saveDocument(document);
  ledger.done(path, wish, document.getText(), ids);
  return plan.conflicts;
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
