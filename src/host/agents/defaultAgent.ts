import * as vscode from 'vscode';

/** The agent of a workspace in which none was selected. In a file of its own, because a window needs it before it needs any agent. */
export function defaultAgentName(): string {
  const inspected = vscode.workspace.getConfiguration('parley').inspect<string>('defaultAgent');
  return inspected?.globalValue ?? inspected?.defaultValue ?? '';
}
