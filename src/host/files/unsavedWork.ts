import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { openDocument, samePath } from './documentEdits';

/** Whether an editor other than one for text (a notebook, a custom editor) holds work on a file that is not saved. */
export function isUnsavedElsewhere(path: string): boolean {
  const isInTab = ({ isDirty, input }: vscode.Tab) =>
    isDirty &&
    (input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook) &&
    samePath(input.uri.fsPath, path);
  return (
    vscode.workspace.notebookDocuments.some(
      ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && samePath(uri.fsPath, path),
    ) || vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isInTab))
  );
}

/**
 * @throws Error where an editor other than one for text holds work on the file that is not saved: writing the file
 * would be at odds with it.
 */
export function refuseUnsavedElsewhere(path: string): void {
  if (isUnsavedElsewhere(path))
    throw new Error(
      l10n.t(
        'it has unsaved changes in a notebook or custom editor, so Parley left it unchanged. Save or revert it first.',
      ),
    );
}

/** @throws Error where an editor of any kind holds work on the file that is not saved. */
export function refuseUnsaved(path: string): void {
  if (openDocument(path)?.isDirty || isUnsavedElsewhere(path))
    throw new Error(l10n.t('it has unsaved changes, so Parley left it unchanged. Save or revert it first.'));
}
