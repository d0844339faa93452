import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionContext } from 'vscode';
import { asObject } from '../../base/decode';
import { readJsonSync } from './replaceFile';

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

/** Keys of an earlier window's data that the user sees in editors without opening the panel. */
const seenKeys = ['parley.review.comments', 'parley.review.outcomes'];
/** Sessions that the user deleted just before that window closed: they are deleted now. */
const deletedKey = 'parley.deletedSessions';

/** Looks for the data of an earlier window of the folder. @param storage absolute */
export function leftBehind(storage: string): { readonly isPending: boolean; readonly agent: string | undefined } {
  const state = asObject(readJsonSync(path.join(storage, 'state.json')));
  const indexes = ['review', 'opaque'].map(
    (folder) => asObject(readJsonSync(path.join(storage, folder, 'index.json')))['rows'],
  );
  const hasRows = indexes.some((rows) => Array.isArray(rows) && rows.length > 0);
  const agent = state['parley.agent'];
  return {
    isPending: hasRows || hasLog(path.join(storage, 'review')) || [...seenKeys, deletedKey].some((key) => key in state),
    agent: typeof agent === 'string' ? agent : undefined,
  };
}

/** The file that makes the next start erase everything. */
export function eraseMarker({ globalStorageUri }: Pick<ExtensionContext, 'globalStorageUri'>): string {
  return path.join(globalStorageUri.fsPath, 'erase');
}

/** True if the user has asked to erase all data. */
export function mustErase(context: Pick<ExtensionContext, 'globalStorageUri'>): boolean {
  return existsSync(eraseMarker(context));
}

/**
 * Whether turns or writes were in progress when the window ended. @param review absolute: the folder of the saved
 * review
 */
export function hasLog(review: string): boolean {
  try {
    return readdirSync(review).some((name) => name.endsWith('.log'));
  } catch (error) {
    // A later read of the folder reports the error.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
