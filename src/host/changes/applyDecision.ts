import type { Ledger, Part, Wish } from '../../changes/ledger';
import { withLineFeeds } from '../../changes/lineFeeds';
import { currentText } from '../files/fileContent';
import { ChangedMeanwhileError } from '../files/fileOnDisk';
import { refuseUnsavedElsewhere } from '../files/unsavedWork';
import { removeText, writableFile, type WriteOptions } from './writableFile';

export interface ApplyOptions extends WriteOptions {
  readonly confirmDelete: () => Promise<boolean>;
}

/**
 * Carries out `ledger.plan` for one file, or for some of its hunks.
 * @returns the hunks that are left because the user has edited them since.
 */
export async function applyDecision(
  ledger: Ledger,
  path: string,
  wish: Wish,
  { ids, of }: Part,
  options: ApplyOptions,
): Promise<readonly string[]> {
  let plan = ledger.plan(path, wish, ids, of);
  if (!plan) return [];
  if (plan.text === undefined) {
    refuseUnsavedElsewhere(path);
    const asked = ledger.current(path);
    if (plan.losesEdits && !(await options.confirmDelete())) return [];
    // The question may have stood for long.
    if (plan.losesEdits && withLineFeeds((await currentText(path)) ?? '') !== asked) throw new ChangedMeanwhileError();
    await removeText(path, asked, options);
    ledger.done(path, wish, undefined, ids, of);
    return [];
  }
  const file = await writableFile(path, options);
  // What came into the file meanwhile is nobody's to take back, and another decision may have been carried out.
  if (file.text !== undefined && withLineFeeds(file.text) !== ledger.current(path)) ledger.edited(path, file.text);
  plan = ledger.plan(path, wish, ids, of);
  if (plan?.text === undefined) return [];
  ledger.done(path, wish, await file.put(plan.text, ledger.get(path)?.baseline), ids, of);
  return plan.conflicts;
}
