import { type Stats, unwatchFile, watchFile as pollFile } from 'node:fs';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { type IDisposable, toDisposable } from '../base/lifecycle';

/** VS Code's watcher drops an event now and then when several fall together; a look at this pace finds what it missed. */
const pollMs = 2_000;

/** Calls back whenever one file is created, changed or deleted on disk, wherever it lies. */
export function watchFile(path: string, changed: () => void): IDisposable {
  const folder = vscode.Uri.file(nodePath.dirname(path));
  // A name may hold what a glob would interpret; in brackets each such character stands for itself.
  const name = nodePath.basename(path).replaceAll(/[*?[\]{}]/g, (char) => (char === ']' ? ']' : `[${char}]`));
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
  watcher.onDidCreate(changed);
  watcher.onDidChange(changed);
  watcher.onDidDelete(changed);
  const look = (now: Stats, before: Stats) => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size) changed();
  };
  pollFile(path, { interval: pollMs, persistent: false }, look);
  return toDisposable(() => {
    watcher.dispose();
    unwatchFile(path, look);
  });
}
