import { chmod, mkdir } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import type { Ledger, Wish } from '../../review/ledger';
import { withLineFeeds } from '../../review/lineEdits';
import { currentText, fileState } from '../files/fileContent';
import { changedMeanwhile, followsDisk, putText, replaceOnDisk, waitForRest } from '../files/staleDocument';
import { putUnopened } from '../files/unopenedFile';
import { refuseUnsavedElsewhere } from '../files/unsavedWork';

/** A file byte by byte, with its permission bits where they are known. */
export interface OriginalFile {
  readonly bytes: Uint8Array;
  readonly mode: number | undefined;
}

export interface CarryOutOptions {
  readonly confirmDelete: () => Promise<boolean>;
  /** The file that held this text, where it is known: what is brought back keeps encoding, line ends and permissions. */
  readonly originalOf: (text: string) => Promise<OriginalFile | undefined>;
  /** Told of what stands on disk, at once when it was put there. */
  readonly wrote: (text: string | undefined) => void;
  /** One of so many files, with nothing of the person's own, that no document is made for it. */
  readonly isMany?: boolean;
}

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
  { confirmDelete, originalOf, wrote, isMany = false }: CarryOutOptions,
): Promise<readonly string[]> {
  let plan = ledger.plan(path, wish, ids);
  if (!plan) return [];
  const uri = vscode.Uri.file(path);
  refuseUnsavedElsewhere(path);
  if (plan.text === undefined) {
    const asked = ledger.current(path);
    if (plan.losesEdits && !(await confirmDelete())) return [];
    // The question may have stood for long.
    if (plan.losesEdits && withLineFeeds((await currentText(path)) ?? '') !== asked) throw changedMeanwhile();
    await deleteFile(uri, path);
    wrote(undefined);
    ledger.done(path, wish, undefined, ids);
    return [];
  }
  const state = await fileState(path);
  if (state === 'readOnly') throw readOnly();
  if (state === 'missing') {
    await createFile(path, plan.text, { originalOf, wrote });
    ledger.done(path, wish, plan.text, ids);
    return plan.conflicts;
  }
  if (isMany && (await putUnopened(path, ledger.current(path), plan.text, await originalOf(plan.text)))) {
    wrote(plan.text);
    ledger.done(path, wish, plan.text, ids);
    return plan.conflicts;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  if (!document.isDirty) await waitForRest(document, path);
  if (!document.isDirty && !(await followsDisk(document, path))) {
    const text = await replaceOnDisk(document, path, plan.text, ledger.current(path));
    wrote(text);
    ledger.done(path, wish, text, ids);
    return plan.conflicts;
  }
  // What came into the file meanwhile is nobody's to take back.
  if (withLineFeeds(document.getText()) !== ledger.current(path)) {
    ledger.edited(path, document.getText());
    plan = ledger.plan(path, wish, ids);
    if (plan?.text === undefined) return [];
  }
  if (await putText(document, path, plan.text)) wrote(document.getText());
  ledger.done(path, wish, document.getText(), ids);
  return plan.conflicts;
}

/** Writes a file that is not there: byte by byte as it was where that is known. */
export async function createFile(path: string, text: string, { originalOf, wrote }: Pick<CarryOutOptions, 'originalOf' | 'wrote'>): Promise<void> {
  const uri = vscode.Uri.file(path);
  await mkdir(nodePath.dirname(path), { recursive: true });
  const original = await originalOf(text);
  await vscode.workspace.fs.writeFile(uri, original?.bytes ?? (await vscode.workspace.encode(text, { uri })));
  wrote(text);
  if (original?.mode !== undefined) await chmod(path, original.mode);
}

/** Its document could be edited, but not saved: the editor and the file would say different things. */
export function readOnly(): Error {
  return new Error('the file is read-only, so it stayed as it is');
}

/** A file that is not there is no error. */
export async function deleteFile(uri: vscode.Uri, path: string): Promise<void> {
  if ((await fileState(path)) !== 'missing') await discard(uri);
}

/** Into the trash where there is one. */
export async function discard(uri: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
  } catch {
    // Remote machines have no trash.
    await vscode.workspace.fs.delete(uri, { useTrash: false });
  }
}
