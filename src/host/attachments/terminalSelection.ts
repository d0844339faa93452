import * as vscode from 'vscode';

/**
 * What is selected in the active terminal. VS Code has no API for it but the command that copies it, so the clipboard
 * is used for a moment, and given back as it was where it held text.
 * @returns undefined when nothing is selected.
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
