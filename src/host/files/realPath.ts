import { realpathSync } from 'node:fs';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { isWithin } from '../../node/isWithin';
import { inEditor, realRoot } from './pathPolicy';

/**
 * The path at which a reviewed file is opened. VS Code spells files by their workspace folder, which may be behind a
 * link of the user; below it a known path has no link. So only the folder is resolved, and later links are not
 * followed.
 * @param path absolute, as `spelled` gives it. @returns for `openWithoutLinks`.
 */
export async function realOf(path: string): Promise<string> {
  const folder = workspaceFolders().find((candidate) => isWithin(path, candidate));
  return folder === undefined ? path : nodePath.join(await realRoot(folder), nodePath.relative(folder, path));
}

/** The one name of a file in documents and the review. @param real absolute, all links resolved. */
export async function spelled(real: string): Promise<string> {
  for (const folder of workspaceFolders()) {
    const realFolder = await realRoot(folder);
    if (isWithin(real, realFolder)) return nodePath.join(folder, inEditor(nodePath.relative(realFolder, real)));
  }
  return inEditor(real);
}

/**
 * The same for an existing folder; the folder itself if it is missing. Synchronous, because changes in it are followed
 * from here on.
 */
export function spelledFolder(folder: string): string {
  const path = nodePath.normalize(folder);
  if (workspaceFolders().some((candidate) => isWithin(path, candidate))) return path;
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Innermost folders first. */
function workspaceFolders(): string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    uri.scheme === 'file' ? [uri.fsPath] : [],
  );
  return folders.sort((a, b) => b.length - a.length);
}
