import * as vscode from 'vscode';

/** The key of the agent that the user selected last, in whichever window, in the extension's global state. */
export const lastAgentKey = 'parley.lastAgent';

/**
 * The agent of a workspace in which none was selected: the setting's, else the one that was selected last. In a file of
 * its own, because a window needs it before it needs any agent.
 */
export function defaultAgentName(lastSelected: string | undefined): string {
  const inspected = vscode.workspace.getConfiguration('parley').inspect<string>('defaultAgent');
  return inspected?.globalValue ?? lastSelected ?? inspected?.defaultValue ?? '';
}
