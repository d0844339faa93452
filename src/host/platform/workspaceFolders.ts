import * as vscode from 'vscode';

/** The folders of the workspace, absolute. */
export function foldersOnDisk(): string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === 'file')
    .map((folder) => folder.uri.fsPath);
}
