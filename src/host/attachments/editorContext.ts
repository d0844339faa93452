import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type NewAttachment, lineFragment, lineLabel, maxTextLength } from './attachment';
import { selectedLines } from './currentFile';

/**
 * The text of a document without a file on disk, such as an unsaved one or an extension's: an agent could not open it.
 */
export function documentContext(document: Pick<vscode.TextDocument, 'uri' | 'getText' | 'isUntitled'>): NewAttachment {
  const { uri } = document;
  const name = nodePath.posix.basename(uri.path);
  const text = document.getText();
  const cut = text.length > maxTextLength;
  const what = document.isUntitled ? l10n.t('not saved') : uri.scheme;
  return {
    kind: 'file',
    label: name,
    detail: [vscode.workspace.asRelativePath(uri), what, ...(cut ? [l10n.t('shortened')] : [])].join(', '),
    linkable: false,
    uri: uri.with({ fragment: '' }).toString(),
    content: cut ? text.slice(0, maxTextLength) : text,
    fileName: name,
  };
}

/**
 * The selected text in an editor, saved or not (item 78). As with Copy, a cursor without a selection means its line.
 */
export function selectionContext({
  document,
  selections,
}: Pick<vscode.TextEditor, 'document' | 'selections'>): NewAttachment[] {
  const chosen = selections.some((selection) => !selection.isEmpty)
    ? selections.filter((selection) => !selection.isEmpty)
    : selections.slice(0, 1);
  return chosen.map((selection) => {
    const range = selection.isEmpty ? document.lineAt(selection.start.line).range : selection;
    const [first, last] = selectedLines(range);
    const name = nodePath.posix.basename(document.uri.path);
    const text = document.getText(range);
    const cut = text.length > maxTextLength;
    return {
      kind: 'selection',
      label: lineLabel(name, first, last),
      detail: [
        lineLabel(vscode.workspace.asRelativePath(document.uri), first, last),
        ...(document.isDirty ? [l10n.t('with unsaved changes')] : []),
        ...(cut ? [l10n.t('shortened')] : []),
      ].join(', '),
      linkable: document.uri.scheme === 'file',
      uri: `${document.uri.with({ fragment: '' }).toString()}#${lineFragment(first, last)}`,
      content: cut ? text.slice(0, maxTextLength) : text,
      fileName: name,
    };
  });
}
