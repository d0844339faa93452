import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

/**
 * The folder of a window's own data. Windows without a workspace folder have none: if they shared one, each would
 * overwrite the others' drafts.
 */
export function windowStorage(context: vscode.ExtensionContext): string {
  if (context.storageUri) return context.storageUri.fsPath;
  const key = 'parley.window';
  const id = context.workspaceState.get<string>(key) ?? randomUUID();
  void context.workspaceState.update(key, id);
  return vscode.Uri.joinPath(context.globalStorageUri, 'windows', id).fsPath;
}

/** Where sessions work when no folder is open; absolute. */
export function scratchFolder({ globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>): string {
  return vscode.Uri.joinPath(globalStorageUri, 'scratch').fsPath;
}
