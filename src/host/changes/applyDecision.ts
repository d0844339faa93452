import * as l10n from '@vscode/l10n';
import { createFile, removeFile } from '../../node/changeFiles';
import type { Ledger, Wish } from '../../changes/ledger';
import { withLineFeeds } from '../../changes/lineEdits';
import { currentText, fileState, isOnlyUnsaved } from '../files/fileContent';
import { changedMeanwhile } from '../files/fileOnDisk';
import { encodedNew } from '../files/fileText';
import { realOf } from '../files/realPath';
import { refuseUnsavedElsewhere } from '../files/unsavedWork';
import { writableFile, type WriteOptions } from './writableFile';

export interface ApplyOptions extends WriteOptions {
  readonly confirmDelete: () => Promise<boolean>;
}

/**
 * Carries out `ledger.plan` for one file, or for some of its hunks, through its document where there is one, so that
 * Ctrl+Z takes it back.
 * @returns the hunks that are left because the user has edited them since.
 */
export async function applyDecision(
  ledger: Ledger,
  path: string,
  wish: Wish,
  ids: readonly string[] | undefined,
  options: ApplyOptions,
): Promise<readonly string[]> {
  const { confirmDelete, wrote } = options;
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
    await bringFile(path, plan.text, options);
    ledger.done(path, wish, plan.text, ids);
    return plan.conflicts;
  }
  const file = await writableFile(path, real, options);
  // What came into the file meanwhile is nobody's to take back.
  if (withLineFeeds(file.text) !== ledger.current(path)) {
    ledger.edited(path, file.text);
    plan = ledger.plan(path, wish, ids);
    if (plan?.text === undefined) return [];
  }
  ledger.done(path, wish, await file.put(plan.text, ledger.get(path)?.baseline), ids);
  return plan.conflicts;
}

/** Writes a file that is not there: byte by byte as it was where that is known. @throws Error where its editor has text that is not saved. */
export async function bringFile(path: string, text: string, { originalOf, wrote }: WriteOptions): Promise<void> {
  const original = await originalOf(text);
  if (await isOnlyUnsaved(path)) throw new Error(l10n.t('it is deleted, but its editor has unsaved changes. Save or close the editor first.'));
  const bytes = original?.bytes ?? (await encodedNew(path, text));
  await createFile(await realOf(path), bytes, original?.mode).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? changedMeanwhile() : error;
  });
  wrote(text);
}

/** Its document could be edited, but not saved: the editor and the file would say different things. */
export function readOnly(): Error {
  return new Error(l10n.t('the file is read-only, so it stayed as it is'));
}

/** What the file held was kept before, so no trash is needed. A file that is not there is no error. */
export async function deleteFile(path: string): Promise<void> {
  await removeFile(await realOf(path));
}
