import * as vscode from 'vscode';

/** The key of the agent that the user selected last, in any window, in the extension's global state. */
export const lastAgentKey = 'parley.lastAgent';

/**
 * The agent of a workspace without a selected one: the setting's, else the last selected one. In its own file, because
 * a window needs it before it needs any agent.
 */
export function defaultAgentName(lastSelected: string | undefined): string {
  const inspected = vscode.workspace.getConfiguration('parley').inspect<string>('defaultAgent');
  return inspected?.globalValue ?? lastSelected ?? inspected?.defaultValue ?? '';
}
