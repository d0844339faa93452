import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { maxTextLength, type NewAttachment } from './attachment';

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
