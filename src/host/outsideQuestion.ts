import * as vscode from 'vscode';
import type { CancellationToken } from '../base/cancellation';
import type { SessionScope } from './sessionScope';

/**
 * Asks whether an agent may touch one file outside the session's folders. Not modal, so that the person can look at
 * things first; no answer is no permission, and the request waits as long as the person does.
 */
export async function askOutside(scope: SessionScope, path: string, access: 'read' | 'write', _token: CancellationToken): Promise<boolean> {
  const allow = access === 'read' ? 'Allow Reading Once' : 'Allow Writing Once';
  const chosen = await vscode.window.showWarningMessage(`${scope.agent} wants to ${access} a file outside the workspace: ${path}`, allow, 'Refuse');
  return chosen === allow;
}
