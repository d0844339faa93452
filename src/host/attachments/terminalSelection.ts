import * as vscode from 'vscode';

/**
 * The selection in the active terminal. VS Code's only API for it is the copy command, so this uses the clipboard for a
 * moment, and restores it if it contained text.
 * @returns undefined if nothing is selected.
 */
export async function copiedTerminalSelection(): Promise<string | undefined> {
  const before = await vscode.env.clipboard.readText();
  const mark = `parley ${Date.now()}`;
  await vscode.env.clipboard.writeText(mark);
  try {
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    const copied = await vscode.env.clipboard.readText();
    return copied === mark || copied === '' ? undefined : copied;
  } finally {
    await vscode.env.clipboard.writeText(before);
  }
}
