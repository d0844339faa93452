import { realpathSync } from 'node:fs';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { isWithin } from '../../node/isWithin';
import { realRoot } from './pathPolicy';

/**
 * Where a file of the review is opened. VS Code spells files by their workspace folder, which may lie behind a link of
 * the user; below it a known path has no link. So only the folder is resolved, and whatever became a link since is not
 * followed.
 * @param path absolute, as `spelled` gives it. @returns for `openWithoutLinks`.
 */
export async function realOf(path: string): Promise<string> {
  const folder = workspaceFolders().find((candidate) => isWithin(path, candidate));
  return folder === undefined ? path : nodePath.join(await realRoot(folder), nodePath.relative(folder, path));
}

/** The one name under which documents and the review know a file. @param real absolute, all links resolved. */
export async function spelled(real: string): Promise<string> {
  for (const folder of workspaceFolders()) {
    const realFolder = await realRoot(folder);
    if (isWithin(real, realFolder)) return nodePath.join(folder, nodePath.relative(realFolder, real));
  }
  return real;
}

/**
 * The same for a folder that is there; itself where it is not. At once, because what happens in it is followed from
 * here on.
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

/** The innermost first. */
function workspaceFolders(): string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    uri.scheme === 'file' ? [uri.fsPath] : [],
  );
  return folders.sort((a, b) => b.length - a.length);
}
