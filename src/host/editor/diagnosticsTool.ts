import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import type { JsonObject } from '../../base/json';
import { counted, type FoundLine, linesAnswer } from '../../editor/answers';
import { pageOf, textOf, wordOf } from '../../editor/toolInput';
import { editProblems } from './editProblems';
import { checkFile, checkFolder, errorsOf, type FileProblems } from './fileProblems';
import { sessionFile, type SessionFile, type ToolSession } from './toolSession';

const words = ['error', 'warning', 'information', 'hint'] as const;

/** `diagnostics`: what the language servers say of the files, once they have seen the last edits. */
export async function diagnosticsTool(
  args: JsonObject,
  session: ToolSession,
  token: CancellationToken,
): Promise<string> {
  const page = pageOf(args);
  const severity = wordOf(args, 'severity', 'warning', 'error', 'all');
  const least = { error: 0, warning: 1, all: 3 }[severity];
  const written = textOf(args, 'path');
  const target = written === undefined ? undefined : await sessionFile(written, session.scope);
  if (wordOf(args, 'since', 'ever', 'edit') === 'edit') return editProblems(target, page, session, token);
  const { problems, left } =
    target && !(await isFolder(target))
      ? { problems: [await checkFile(target, session, token)] }
      : await checkFolder(target, session, token);
  await noteLook(problems, session);
  const found = problems.flatMap(([file, diagnostics]) =>
    diagnostics
      .filter((item) => item.severity <= least)
      .map((item) => ({
        path: file.label,
        line: item.range.start.line + 1,
        text: wordsOf(item),
        isError: item.severity === vscode.DiagnosticSeverity.Error,
      })),
  );
  const sorted = found.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  const where = target && target.label !== '.' ? target.label : 'the workspace';
  return [titleOf(found, severity, where), ...(left === undefined ? [] : [left])].join('\n') + linesOf(sorted, page);
}

function titleOf(found: readonly { readonly isError: boolean }[], severity: string, where: string): string {
  const nouns = { error: 'errors', warning: 'errors or warnings', all: 'problems' }[severity];
  if (found.length === 0) return `No ${nouns} in ${where}.`;
  const errors = found.filter(({ isError }) => isError).length;
  const others = found.length - errors;
  const counts = [
    counted(errors, 'error'),
    ...(others > 0 ? [counted(others, severity === 'all' ? 'other problem' : 'warning')] : []),
  ];
  return `${counts.join(', ')} in ${where}`;
}

function linesOf(sorted: readonly FoundLine[], page: { readonly limit: number; readonly offset: number }): string {
  return sorted.length === 0 ? '' : linesAnswer('', joined(sorted), page);
}

/** What is said of several lines of a file once, where it is said first. */
function joined(sorted: readonly FoundLine[]): readonly FoundLine[] {
  const groups = new Map<string, FoundLine[]>();
  for (const found of sorted) {
    const key = JSON.stringify([found.path, found.text]);
    groups.set(key, [...(groups.get(key) ?? []), found]);
  }
  return [...groups.values()].map(([first, ...others]) => ({
    ...first!,
    also: [...new Set(others.map(({ line }) => line))].filter((line) => line !== first!.line),
  }));
}

/** Remembers errors of files of which VS Code itself reports none. */
async function noteLook(problems: readonly FileProblems[], session: ToolSession): Promise<void> {
  const found = await Promise.all(problems.map(errorsOf));
  session.noteLook({ problems: found.flat(), open: new Set(problems.map(([{ path }]) => path)) });
}

/** `error TS2304: Cannot find name …`, in one line. */
function wordsOf({ severity, message, code, source }: vscode.Diagnostic): string {
  const number = typeof code === 'object' ? code.value : code;
  const origin = source === 'ts' ? `TS${number ?? ''}` : [source, number].filter((part) => part).join(' ');
  return `${words[severity] ?? 'information'}${origin === '' ? '' : ` ${origin}`}: ${message}`;
}

async function isFolder({ real }: SessionFile): Promise<boolean> {
  return stat(real).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
