import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NewAttachment } from './attachment';
import { type Problem, problemsText } from './contextText';

const severities = ['error', 'warning', 'info', 'hint'] as const;

/** The number of problems in one file or in all. */
export function countProblems(uri?: vscode.Uri): number {
  return uri
    ? vscode.languages.getDiagnostics(uri).length
    : vscode.languages.getDiagnostics().reduce((sum, [, found]) => sum + found.length, 0);
}

/** The problems of one file, or of all. `undefined` if there are none. */
export function problemsContext(uri?: vscode.Uri): NewAttachment | undefined {
  const files = uri ? [[uri, vscode.languages.getDiagnostics(uri)] as const] : vscode.languages.getDiagnostics();
  const problems = files.flatMap(([file, found]) => found.map((diagnostic) => problemOf(file, diagnostic)));
  if (problems.length === 0) return undefined;
  const where = uri && nodePath.posix.basename(uri.path);
  const label = where === undefined ? l10n.t('Problems') : l10n.t('Problems in {0}', where);
  const count =
    problems.length === 1
      ? l10n.t('1 problem when you added this')
      : l10n.t('{0} problems when you added this', problems.length);
  return {
    kind: 'problems',
    label,
    detail: [...(uri ? [vscode.workspace.asRelativePath(uri)] : []), count].join(' · '),
    linkable: false,
    uri: `parley:/problems${where === undefined ? '' : `/${encodeURIComponent(where)}`}`,
    content: problemsText(problems),
    fileName: where === undefined ? 'problems.txt' : `${label}.txt`,
  };
}

function problemOf(uri: vscode.Uri, { range, severity, message, source, code }: vscode.Diagnostic): Problem {
  const number = typeof code === 'object' ? code.value : code;
  return {
    path: vscode.workspace.asRelativePath(uri),
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severities[severity] ?? 'info',
    message,
    origin: [source, number].filter((part) => part !== undefined && part !== '').join(' '),
  };
}
