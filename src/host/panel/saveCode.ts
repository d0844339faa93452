import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { refuseUnsaved } from '../files/unsavedWork';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { languageOf } from './codeActions';
import { codeFileName, type DeclaredLanguage } from './codeFileName';

/**
 * Saves code to a file that the user chooses, through a document that is then shown. So it is a save of the user, and
 * not a change by the agent.
 * @param info the code's info string from the agent: its language, and perhaps a file name
 */
export async function saveCode(text: string, info: string): Promise<void> {
  const language = await languageOf(/^[^\s,{:]*/.exec(info)![0]);
  const name = codeFileName(info, language, declaredLanguages());
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: l10n.t('Save Code'),
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  if (!target) return;
  try {
    await write(target, text.endsWith('\n') ? text : `${text}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void markedWindow.showErrorMessage(
      l10n.t('“{0}” was not saved: {1}', plainText(path.posix.basename(target.path)), plainText(reason)),
    );
  }
}

async function write(target: vscode.Uri, text: string): Promise<void> {
  if (target.scheme === 'file') refuseUnsaved(target.fsPath);
  const isNew = await vscode.workspace.fs.stat(target).then(
    () => false,
    () => true,
  );
  if (isNew) await vscode.workspace.fs.writeFile(target, new Uint8Array());
  const document = await vscode.workspace.openTextDocument(target);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(target, new vscode.Range(0, 0, document.lineCount, 0), text);
  if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save()))
    throw new Error(l10n.t('VS Code rejected the change.'));
  await vscode.window.showTextDocument(document, { preview: false });
}

function declaredLanguages(): readonly DeclaredLanguage[] {
  return vscode.extensions.all.flatMap(
    ({ packageJSON }) =>
      (packageJSON as { contributes?: { languages?: readonly DeclaredLanguage[] } }).contributes?.languages ?? [],
  );
}
