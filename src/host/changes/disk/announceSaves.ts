import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Clock } from '../../../base/scheduler';
import { SaveAnnouncer, type WindowSaves } from './saveAnnouncer';

/** How this window tells others of saves, and hears of theirs. */
export function windowSaves(context: vscode.ExtensionContext, clock: Clock): WindowSaves {
  return { folder: vscode.Uri.joinPath(context.globalStorageUri, 'saves').fsPath, id: randomUUID(), clock };
}

/** Tells other windows of what is saved in this one. @param isWriting whether we write a file just now: then it is an agent's. */
export function announceSaves(saves: WindowSaves, isWriting: (path: string) => boolean): vscode.Disposable {
  const announcer = new SaveAnnouncer(saves);
  const saved = vscode.workspace.onDidSaveTextDocument((document) => {
    const { scheme, fsPath } = document.uri;
    if (scheme === 'file' && !isWriting(fsPath)) void announcer.saved(fsPath, document.getText());
  });
  return vscode.Disposable.from(saved, announcer);
}
