import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { plainText } from '../platform/plainText';

/** What the commands of a quick fix get. Plain values, because a command may be run before its code is loaded. */
export interface ProblemReference {
  readonly uri: vscode.Uri;
  /** The problems that the user asks about; at least one. */
  readonly diagnostics: readonly vscode.Diagnostic[];
}

/**
 * “Fix with” and “Explain with” for the problems of a file. Loaded when VS Code first asks for quick fixes.
 * @param name of the agent that would answer; "" if none was selected, and then nothing is offered
 */
export function quickFixes(
  name: string,
  { uri }: Pick<vscode.TextDocument, 'uri'>,
  { diagnostics, only }: Pick<vscode.CodeActionContext, 'diagnostics' | 'only'>,
): vscode.CodeAction[] {
  const agent = plainText(name, 60);
  if (agent === '' || diagnostics.length === 0 || (only && !only.contains(vscode.CodeActionKind.QuickFix))) return [];
  const argument: ProblemReference = { uri, diagnostics };
  return [
    quickFix(l10n.t('Fix with {0}', agent), 'parley.askFix', argument),
    quickFix(l10n.t('Explain with {0}', agent), 'parley.askExplain', argument),
  ];
}

function quickFix(title: string, command: string, argument: ProblemReference): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [...argument.diagnostics];
  action.command = { title, command, arguments: [argument] };
  return action;
}
