import * as vscode from 'vscode';
import type { Problem, ProblemState } from '../../changes/newProblems';
import { isWithin } from '../../node/isWithin';

/** With more errors than this nothing is compared: it would cost too much. */
const maxProblems = 5_000;

/** The errors that VS Code reports in some folders. @returns undefined if there are too many */
export function reportedProblems(roots: readonly string[]): ProblemState | undefined {
  const documents = new Map(
    vscode.workspace.textDocuments.flatMap((document) =>
      document.uri.scheme === 'file' && !document.isClosed ? [[document.uri.fsPath, document] as const] : [],
    ),
  );
  const problems: Problem[] = [];
  for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
    if (diagnostics.length === 0 || uri.scheme !== 'file') continue;
    const path = uri.fsPath;
    if (!roots.some((root) => isWithin(path, root))) continue;
    const document = documents.get(path);
    problems.push(
      ...problemsOf(path, diagnostics, (line) =>
        document && line < document.lineCount ? document.lineAt(line).text : undefined,
      ),
    );
    if (problems.length > maxProblems) return undefined;
  }
  return { problems, open: new Set(documents.keys()) };
}

/**
 * The errors among the diagnostics of a file.
 * @param textOf the text of a line, from 0; undefined if it is not known
 */
export function problemsOf(
  path: string,
  diagnostics: readonly vscode.Diagnostic[],
  textOf: (line: number) => string | undefined,
): readonly Problem[] {
  const errors = diagnostics.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
  return errors.map(({ message, code, source, range }) => {
    const { line } = range.start;
    const value = typeof code === 'object' ? code.value : code;
    const text = textOf(line);
    return {
      path,
      message,
      line,
      ...(value === undefined ? {} : { code: String(value) }),
      ...(source === undefined ? {} : { source }),
      ...(text === undefined ? {} : { text }),
    };
  });
}
