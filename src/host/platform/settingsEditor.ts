import * as vscode from 'vscode';

/*
 * Our settings have the scope of a machine. In a window on another one (SSH, WSL, containers, a browser) that machine's
 * file holds them: those of the user's own are neither shown nor obeyed there.
 */

/** Opens the editor of settings at one of ours. */
export async function openSetting(key: string): Promise<void> {
  if (vscode.env.remoteName === undefined) await vscode.commands.executeCommand('workbench.action.openSettings', key);
  else await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query: key });
}

/** Opens the file of settings with the cursor in one of ours, which is added where it is not there yet. */
export async function editSetting(key: string): Promise<void> {
  const command =
    vscode.env.remoteName === undefined
      ? 'workbench.action.openSettingsJson'
      : 'workbench.action.openRemoteSettingsFile';
  await vscode.commands.executeCommand(command, { revealSetting: { key, edit: true } });
}
