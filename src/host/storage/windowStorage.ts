import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

/**
 * The folder in which a window keeps what is its own. Windows without a folder have none; shared, one would write over
 * the other's drafts.
 */
export function windowStorage(context: vscode.ExtensionContext): string {
  if (context.storageUri) return context.storageUri.fsPath;
  const key = 'parley.window';
  const id = context.workspaceState.get<string>(key) ?? randomUUID();
  void context.workspaceState.update(key, id);
  return vscode.Uri.joinPath(context.globalStorageUri, 'windows', id).fsPath;
}
