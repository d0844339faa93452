import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { openDocument, samePath } from './documentEdits';

/** Whether an editor other than a text editor (a notebook, a custom editor) has unsaved work on a file. */
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
 * @throws Error if an editor other than a text editor has unsaved work on the file, which a write would conflict with.
 */
export function refuseUnsavedElsewhere(path: string): void {
  if (isUnsavedElsewhere(path))
    throw new Error(
      l10n.t(
        'it has unsaved changes in a notebook or custom editor, so Parley left it unchanged. Save or revert it first.',
      ),
    );
}

/** @throws Error if any editor has unsaved work on the file. */
export function refuseUnsaved(path: string): void {
  if (openDocument(path)?.isDirty || isUnsavedElsewhere(path))
    throw new Error(l10n.t('it has unsaved changes, so Parley left it unchanged. Save or revert it first.'));
}
