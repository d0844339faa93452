import * as vscode from 'vscode';
import { createFile, removeFile } from '../../node/changeFiles';
import type { Ledger, Wish } from '../../review/ledger';
import { withLineFeeds } from '../../review/lineEdits';
import { closedFile } from '../files/closedFile';
import { documentAt } from '../files/documentEdits';
import { currentText, fileState } from '../files/fileContent';
import { realOf } from '../files/realPath';
import { changedMeanwhile, followsDisk, putText, replaceOnDisk, waitForRest } from '../files/staleDocument';
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
  { confirmDelete, originalOf, wrote }: CarryOutOptions,
): Promise<readonly string[]> {
  let plan = ledger.plan(path, wish, ids);
  if (!plan) return [];
  const real = await realOf(path);
  refuseUnsavedElsewhere(path);
  if (plan.text === undefined) {
    const asked = ledger.current(path);
    if (plan.losesEdits && !(await confirmDelete())) return [];
    // The question may have stood for long.
    if (plan.losesEdits && withLineFeeds((await currentText(path)) ?? '') !== asked) throw changedMeanwhile();
    await deleteFile(path);
    wrote(undefined);
    ledger.done(path, wish, undefined, ids);
    return [];
  }
  const state = await fileState(path);
  if (state === 'readOnly') throw readOnly();
  if (state === 'missing') {
    await bringFile(path, plan.text, { originalOf, wrote });
    ledger.done(path, wish, plan.text, ids);
    return plan.conflicts;
  }
  let document = await documentAt(path, real);
  const closed = document ? undefined : await closedFile(path, real);
  if (!closed) {
    document ??= await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    if (!document.isDirty) await waitForRest(document, path);
    if (!document.isDirty && !(await followsDisk(document, path, real))) {
      const text = await replaceOnDisk(document, path, real, plan.text, ledger.current(path));
      wrote(text);
      ledger.done(path, wish, text, ids);
      return plan.conflicts;
    }
  }
  // What came into the file meanwhile is nobody's to take back.
  const standing = closed?.text ?? document!.getText();
  if (withLineFeeds(standing) !== ledger.current(path)) {
    ledger.edited(path, standing);
    plan = ledger.plan(path, wish, ids);
    if (plan?.text === undefined) return [];
  }
  if (closed) {
    await closed.replace(plan.text, (await originalOf(plan.text))?.bytes);
    wrote(plan.text);
    ledger.done(path, wish, plan.text, ids);
  } else {
    const saved = await putText(document!, path, real, plan.text);
    if (saved !== undefined) wrote(saved);
    ledger.done(path, wish, saved ?? document!.getText(), ids);
  }
  return plan.conflicts;
}

/** Writes a file that is not there: byte by byte as it was where that is known. */
export async function bringFile(path: string, text: string, { originalOf, wrote }: Pick<CarryOutOptions, 'originalOf' | 'wrote'>): Promise<void> {
  const original = await originalOf(text);
  const bytes = original?.bytes ?? (await vscode.workspace.encode(text, { uri: vscode.Uri.file(path) }));
  await createFile(await realOf(path), bytes, original?.mode).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? changedMeanwhile() : error;
  });
  wrote(text);
}

/** Its document could be edited, but not saved: the editor and the file would say different things. */
export function readOnly(): Error {
  return new Error('the file is read-only, so it stayed as it is');
}

/** What the file held was kept before, so no trash is needed. A file that is not there is no error. */
export async function deleteFile(path: string): Promise<void> {
  await removeFile(await realOf(path));
}
