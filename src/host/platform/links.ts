import { homedir } from 'node:os';
import * as path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../base/log';
import { isOnNetwork, linkAct, linkTarget } from './linkTarget';
import { markedWindow } from './markedWindow';
import { plainText } from './plainText';

const webSchemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto']);

/**
 * Opens a link in agent text that the user clicked: web links in the browser (VS Code asks for hosts that it does not
 * trust), files in the editor. Anything else is only logged.
 */
export async function openLink(href: string, cwd: string, log: Logger): Promise<void> {
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(href, true);
  } catch {
    return log.warn('A link that is no address was not opened');
  }
  // A Uri would rewrite the query and change the meaning of `%26`; the API also takes the original address.
  if (webSchemes.has(uri.scheme)) await vscode.env.openExternal(href as unknown as vscode.Uri);
  else if (uri.scheme === 'file') await openLocation(uri.fsPath, lineOf(uri.fragment), cwd, log);
  else log.warn(`A link with the scheme ${uri.scheme} was not opened`);
}

/**
 * Opens a file at a line and column (1-based; beyond the end is the end), or shows a folder. Outside the workspace, the
 * user must agree first, because the path comes from an agent.
 */
export async function openLocation(
  file: string,
  line: number | undefined,
  cwd: string,
  log: Logger,
  column = 1,
): Promise<void> {
  const absolute = linkTarget(file, cwd, homedir());
  if (absolute === undefined) return log.warn('A relative path without a folder was not opened');
  const uri = vscode.Uri.file(absolute);
  const isInside = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  try {
    if (
      isOnNetwork(absolute) &&
      !isInside &&
      !(await confirmOutside(l10n.t('Open a file outside the workspace?'), l10n.t('Open'), absolute))
    )
      return;
    const act = linkAct((await vscode.workspace.fs.stat(uri)).type, isInside || isOnNetwork(absolute));
    switch (act) {
      case 'refuse':
        throw new Error('ENOTSUP');
      case 'reveal':
        // The explorer only has files of the workspace.
        return void (await vscode.commands.executeCommand(isInside ? 'revealInExplorer' : 'revealFileInOS', uri));
      case 'askToReveal':
        if (await confirmOutside(l10n.t('Show a folder outside the workspace?'), l10n.t('Show'), absolute))
          await vscode.commands.executeCommand('revealFileInOS', uri);
        return;
      case 'askToOpen':
        if (!(await confirmOutside(l10n.t('Open a file outside the workspace?'), l10n.t('Open'), absolute))) return;
    }
    const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), Math.max(0, column - 1));
    await vscode.commands.executeCommand(
      'vscode.open',
      uri,
      line === undefined ? {} : { selection: new vscode.Range(position, position) },
    );
  } catch (error) {
    log.warn(`${absolute} could not be opened: ${String(error)}`);
    void markedWindow.showWarningMessage(
      l10n.t('“{0}” could not be opened. It may have been moved or deleted.', plainText(path.basename(absolute))),
    );
  }
}

async function confirmOutside(question: string, act: string, detail: string): Promise<boolean> {
  return (await markedWindow.showWarningMessage(question, { modal: true, detail }, act)) === act;
}

function lineOf(fragment: string): number | undefined {
  const match = /^L?(\d+)/.exec(fragment);
  return match ? Number(match[1]) : undefined;
}
