import * as vscode from 'vscode';

/*
 * /* Parley's settings have the scope of a machine. In a window on another one (SSH, WSL, containers, a browser), they
 * are in that machine's file: the user's own settings neither apply there nor are shown.
 */

/** Opens the settings editor at one of Parley's settings. */
export async function openSetting(key: string): Promise<void> {
  if (vscode.env.remoteName === undefined) await vscode.commands.executeCommand('workbench.action.openSettings', key);
  else await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query: key });
}

/** Opens the settings file with the cursor at one of Parley's settings, which is added if it is missing. */
export async function editSetting(key: string): Promise<void> {
  const command =
    vscode.env.remoteName === undefined
      ? 'workbench.action.openSettingsJson'
      : 'workbench.action.openRemoteSettingsFile';
  await vscode.commands.executeCommand(command, { revealSetting: { key, edit: true } });
}
