import nodePath from 'node:path';
import * as vscode from 'vscode';
import type { IDisposable } from '../base/lifecycle';

/** Calls back whenever one file is created, changed or deleted on disk, wherever it lies. */
export function watchFile(path: string, changed: () => void): IDisposable {
  const folder = vscode.Uri.file(nodePath.dirname(path));
  // A name may hold what a glob would interpret; in brackets each such character stands for itself.
  const name = nodePath.basename(path).replaceAll(/[*?[\]{}]/g, (char) => (char === ']' ? ']' : `[${char}]`));
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
  watcher.onDidCreate(changed);
  watcher.onDidChange(changed);
  watcher.onDidDelete(changed);
  return watcher;
}
