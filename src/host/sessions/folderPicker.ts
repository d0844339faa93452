import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import { markedWindow } from '../platform/markedWindow';
import type { SessionFolders } from './sessionFolders';

/**
 * Lets the user choose the folders of new sessions.
 * @param cwd of the shown session, which always belongs to it
 * @returns false when nothing changed.
 */
export async function pickSessionFolders(folders: SessionFolders, cwd: string): Promise<boolean> {
  const { all, leftOut } = folders;
  if (all.every((folder) => folder === cwd)) {
    void markedWindow.showInformationMessage(
      l10n.t('This workspace has no other folders. Add one with “File > Add Folder to Workspace…”.'),
    );
    return false;
  }
  // Another one is fixed by the agent's settings.
  const working = all.includes(cwd) ? await pickWorking(all) : cwd;
  if (working === undefined) return false;
  const others = all.filter((folder) => folder !== working);
  const items = others.map((folder) => ({
    label: nodePath.basename(folder),
    description: folder,
    picked: !leftOut.includes(folder),
    folder,
  }));
  const chosen = await markedWindow.showQuickPick(items, {
    title: l10n.t('Parley: Folders for the Next Session'),
    placeHolder: l10n.t('Select additional folders for the agent, besides {0}', nodePath.basename(working)),
    canPickMany: true,
    matchOnDescription: true,
  });
  if (!chosen) return false;
  const left = others.filter((folder) => !chosen.some((item) => item.folder === folder));
  const isSame = left.length === leftOut.length && left.every((folder) => leftOut.includes(folder));
  if (isSame && (working === all[0] || !all.includes(working))) return false;
  await folders.choose(all.includes(working) ? working : undefined, left);
  return true;
}

/** @param folders the current one first */
async function pickWorking(folders: readonly string[]): Promise<string | undefined> {
  const items = folders.map((folder, i) => ({
    label: nodePath.basename(folder),
    description: i === 0 ? l10n.t('{0} (current)', folder) : folder,
    folder,
  }));
  const chosen = await markedWindow.showQuickPick(items, {
    title: l10n.t('Parley: Folders for the Next Session'),
    placeHolder: l10n.t('Select the folder that the agent works in'),
    matchOnDescription: true,
  });
  return chosen?.folder;
}
