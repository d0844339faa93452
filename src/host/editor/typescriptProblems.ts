import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import { asObject, integerOf, stringOf } from '../../base/decode';
import { askLanguage } from './askLanguage';
import type { ToolSession } from './toolSession';

/*
 * VS Code's TypeScript extension publishes problems only of files in a tab. Its command for other extensions asks the
 * server for those of any file, at once and without a wait.
 */

const command = 'typescript.tsserverRequest';
const languages = new Set(['typescript', 'typescriptreact', 'javascript', 'javascriptreact']);

/** Files that the TypeScript server checks, if a search finds them. */
export const typescriptFiles = '**/*.{ts,tsx,mts,cts}';

export function isTypescript({ languageId }: vscode.TextDocument): boolean {
  return languages.has(languageId);
}

/**
 * The problems of a file of a project that the server has loaded, or of an open one.
 * @returns undefined if the server does not tell them
 */
export async function typescriptProblems(
  path: string,
  session: ToolSession,
  token: CancellationToken,
): Promise<readonly vscode.Diagnostic[] | undefined> {
  const found: vscode.Diagnostic[] = [];
  for (const kind of ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'] as const) {
    const problems = await problemsOfKind(kind, path, session, token);
    if (!problems) return undefined;
    found.push(...problems.flatMap((item) => problemOf(item) ?? []));
  }
  return found;
}

/**
 * Waits until the server has read the project of a file. A second server answers most questions meanwhile, from the open
 * files alone; problems it leaves to the first one, and those of the syntax cost nothing more.
 */
export async function typescriptProjectRead(
  path: string,
  session: ToolSession,
  token: CancellationToken,
): Promise<void> {
  await problemsOfKind('syntacticDiagnosticsSync', path, session, token);
}

async function problemsOfKind(
  kind: 'syntacticDiagnosticsSync' | 'semanticDiagnosticsSync',
  path: string,
  session: ToolSession,
  token: CancellationToken,
): Promise<readonly unknown[] | undefined> {
  const answer = await askLanguage<unknown>(command, [kind, { file: path }], session, token).catch(() => undefined);
  const { body } = asObject(answer);
  return Array.isArray(body) ? body : undefined;
}

function problemOf(raw: unknown): vscode.Diagnostic | undefined {
  const { start, end, text, code, category } = asObject(raw);
  const [from, to] = [positionOf(start), positionOf(end)];
  const message = stringOf(text);
  if (!from || message === undefined || category === 'suggestion') return undefined;
  const severity = category === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const problem = new vscode.Diagnostic(new vscode.Range(from, to ?? from), message, severity);
  problem.source = 'ts';
  const number = integerOf(code);
  if (number !== undefined) problem.code = number;
  return problem;
}

function positionOf(raw: unknown): vscode.Position | undefined {
  const { line, offset } = asObject(raw);
  const [row, column] = [integerOf(line), integerOf(offset)];
  return row === undefined || row < 1 ? undefined : new vscode.Position(row - 1, Math.max(0, (column ?? 1) - 1));
}
