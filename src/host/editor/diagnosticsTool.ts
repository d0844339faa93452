import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import type { JsonObject } from '../../base/json';
import { counted, type FoundLine, linesAnswer } from '../../editor/answers';
import { pageOf, textOf, wordOf } from '../../editor/toolInput';
import { isWithin } from '../../node/isWithin';
import { problemsSettled } from './settledProblems';
import { fileOf, sessionFile, type SessionFile, type ToolSession } from './toolSession';
import { isTypescript, typescriptFiles, typescriptProblems } from './typescriptProblems';
import { languageDocument, wakeServers } from './wakeServer';

/** Files that are looked at in one call. */
const maxFiles = 2_000;
/** How long a call may look at the files of a folder. */
const maxLookMs = 30_000;

const words = ['error', 'warning', 'information', 'hint'] as const;

interface Checked {
  readonly problems: readonly (readonly [SessionFile, readonly vscode.Diagnostic[]])[];
  /** What was not looked at, in words. */
  readonly left?: string;
}

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
  const { problems, left } =
    target && !(await isFolder(target))
      ? await checkFile(target, session, token)
      : await checkFolder(target, session, token);
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

async function checkFile(file: SessionFile, session: ToolSession, token: CancellationToken): Promise<Checked> {
  const document = await languageDocument(file, session, token);
  const pulled = isTypescript(document) ? await typescriptProblems(file.path, session, token) : undefined;
  if (!pulled) await problemsSettled([document], session.clock, token);
  return { problems: [[file, withPublished(document.uri, pulled)]] };
}

async function checkFolder(
  folder: SessionFile | undefined,
  session: ToolSession,
  token: CancellationToken,
): Promise<Checked> {
  const { clock, scope } = session;
  await wakeServers(session, token);
  const root = folder?.path ?? scope.cwd;
  const pulled = new Map<string, readonly vscode.Diagnostic[]>();
  const deadline = clock.now() + maxLookMs;
  const uris = await vscode.workspace.findFiles(
    new vscode.RelativePattern(vscode.Uri.file(root), typescriptFiles),
    '**/node_modules/**',
    maxFiles,
  );
  let looked = 0;
  for (const uri of uris) {
    if (token.isCancellationRequested || clock.now() > deadline) break;
    const problems = await typescriptProblems(uri.fsPath, session, token);
    if (problems) pulled.set(uri.toString(), problems);
    looked++;
  }
  const others = vscode.workspace.textDocuments.filter(
    (document) => document.uri.scheme === 'file' && !pulled.has(document.uri.toString()),
  );
  await problemsSettled(others, clock, token);
  const known = new Set([...pulled.keys(), ...vscode.languages.getDiagnostics().map(([uri]) => uri.toString())]);
  const problems: [SessionFile, readonly vscode.Diagnostic[]][] = [];
  for (const key of known) {
    const uri = vscode.Uri.parse(key);
    const found = withPublished(uri, pulled.get(key));
    const file = found.length > 0 ? await fileOf(uri, scope) : undefined;
    if (file && isWithin(file.path, root)) problems.push([file, found]);
  }
  return {
    problems,
    ...(looked < uris.length ? { left: `${looked} of ${uris.length} TypeScript files were checked in time.` } : {}),
  };
}

/** What was asked for, and what others have published, such as linters. */
function withPublished(
  uri: vscode.Uri,
  pulled: readonly vscode.Diagnostic[] | undefined,
): readonly vscode.Diagnostic[] {
  const published = vscode.languages.getDiagnostics(uri);
  return pulled ? [...pulled, ...published.filter(({ source }) => source !== 'ts' && source !== 'js')] : published;
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
