import * as path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../base/log';
import { isAbsolutePath, resolvePath } from '../../view/labels';
import { markedWindow } from './markedWindow';
import { plainText } from './plainText';

const webSchemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto']);

/**
 * Opens what the user clicked in agent text: web links in the browser (VS Code asks for hosts that it does not
 * trust), files in the editor. Anything else does nothing but a line in the log.
 */
export async function openLink(href: string, cwd: string, log: Logger): Promise<void> {
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(href, true);
  } catch {
    return log.warn('A link that is no address was not opened');
  }
  // A Uri would write the query anew and change what `%26` means; the API takes the address as it stands, too.
  if (webSchemes.has(uri.scheme)) await vscode.env.openExternal(href as unknown as vscode.Uri);
  else if (uri.scheme === 'file') await openLocation(uri.fsPath, lineOf(uri.fragment), cwd, log);
  else log.warn(`A link with the scheme ${uri.scheme} was not opened`);
}

/**
 * Opens a file at a line and column (1-based; beyond the end is the end). A file outside the workspace is opened only after the
 * person has agreed, because the path comes from an agent.
 */
export async function openLocation(file: string, line: number | undefined, cwd: string, log: Logger, column = 1): Promise<void> {
  const absolute = path.normalize(resolvePath(file, cwd));
  if (!isAbsolutePath(absolute)) return log.warn('A relative path without a folder was not opened');
  const uri = vscode.Uri.file(absolute);
  if (!vscode.workspace.getWorkspaceFolder(uri) && !(await confirmOutside(absolute))) return;
  try {
    const stat = await vscode.workspace.fs.stat(uri);
    if (stat.type & vscode.FileType.Directory) {
      await vscode.commands.executeCommand('revealInExplorer', uri);
      return;
    }
    const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), Math.max(0, column - 1));
    await vscode.commands.executeCommand('vscode.open', uri, line === undefined ? {} : { selection: new vscode.Range(position, position) });
  } catch (error) {
    log.warn(`${absolute} could not be opened: ${String(error)}`);
    void markedWindow.showWarningMessage(l10n.t('“{0}” could not be opened. It may have been moved or deleted.', plainText(path.basename(absolute))));
  }
}

async function confirmOutside(file: string): Promise<boolean> {
  const open = l10n.t('Open');
  return (await markedWindow.showWarningMessage(l10n.t('Open a file outside the workspace?'), { modal: true, detail: file }, open)) === open;
}

function lineOf(fragment: string): number | undefined {
  const match = /^L?(\d+)/.exec(fragment);
  return match ? Number(match[1]) : undefined;
}
