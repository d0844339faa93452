import * as l10n from '@vscode/l10n';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { eraseMarker, scratchFolder } from './windowStorage';

/** What of an extension's context has the data of its user. */
export type StoredData = Pick<
  vscode.ExtensionContext,
  'globalState' | 'workspaceState' | 'secrets' | 'globalStorageUri' | 'storageUri'
>;

/**
 * Asks, and reloads the window. Only before a window begins is nothing of it in use, so the next start erases. A killed
 * window changes nothing in that.
 */
export async function askToErase(context: StoredData): Promise<void> {
  const action = l10n.t('Erase and Reload');
  const detail = [
    l10n.t(
      'This removes, for all folders: conversations, checkpoints, attachments and drafts; installed agents and ' +
        'Parley’s Node.js; keys; and all answers and choices that Parley remembers.',
    ),
    l10n.t('Changes that you have neither kept nor undone stay in your files, and can no longer be undone.'),
    l10n.t(
      'Your settings stay, and so do the files in Parley’s scratch folder and what agents store themselves. Close ' +
        'your other windows first, because they write their data again.',
    ),
  ].join('\n\n');
  const question = l10n.t('Erase all data of Parley on this machine?');
  if ((await markedWindow.showWarningMessage(question, { modal: true, detail }, action)) !== action) return;
  const marker = eraseMarker(context);
  await mkdir(path.dirname(marker), { recursive: true });
  await writeFile(marker, '');
  await vscode.commands.executeCommand('workbench.action.reloadWindow');
}

/** Erases everything, and tells the user. What cannot be removed costs nothing else. Never throws. */
export async function erase(context: StoredData): Promise<void> {
  const marker = eraseMarker(context);
  const own = path.dirname(marker);
  const failed: string[] = [];
  const attempt = async (what: string, act: () => Promise<unknown>) => {
    await act().catch((error: unknown) => failed.push(`${what}: ${error instanceof Error ? error.message : error}`));
  };
  const remove = (file: string) =>
    attempt(file, () => rm(file, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  // The files in the scratch folder are the user's work.
  const spared = [marker, scratchFolder(context)];
  for (const file of (await namesIn(own)).map((name) => path.join(own, name)))
    if (!spared.includes(file)) await remove(file);
  // VS Code keeps a folder for each workspace beside the one for all, with a folder for each extension in it.
  const workspaces = context.storageUri
    ? path.dirname(path.dirname(context.storageUri.fsPath))
    : path.join(own, '../../workspaceStorage');
  for (const name of await namesIn(workspaces)) await remove(path.join(workspaces, name, path.basename(own)));
  for (const state of [context.globalState, context.workspaceState])
    for (const key of state.keys()) await attempt(key, async () => state.update(key, undefined));
  await attempt('secrets', async () => {
    for (const key of await context.secrets.keys()) await context.secrets.delete(key);
  });
  await remove(marker);
  if (failed.length === 0)
    void markedWindow.showInformationMessage(l10n.t('All data of Parley on this machine is erased.'));
  else
    void markedWindow.showErrorMessage(
      plainText(l10n.t('Parley could not erase everything. {0}', failed.join('. ')), 1_000),
    );
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
