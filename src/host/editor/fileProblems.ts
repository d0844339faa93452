import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import type { Problem } from '../../changes/newProblems';
import { isWithin } from '../../node/isWithin';
import { realRoot } from '../files/pathPolicy';
import { problemsOf } from '../platform/reportedProblems';
import { problemsSettled } from './settledProblems';
import { fileOf, linesOfFile, type SessionFile, type ToolSession } from './toolSession';
import { isTypescript, typescriptFiles, typescriptProblems } from './typescriptProblems';
import { languageDocument, wakeServers } from './wakeServer';

/** Files that are looked at in one call. */
const maxFiles = 2_000;
/** How long a call may look at the files of a folder. */
const maxLookMs = 30_000;

/** A file and what language servers say of it. */
export type FileProblems = readonly [SessionFile, readonly vscode.Diagnostic[]];

export interface Checked {
  /** All files that were looked at, also those without problems. */
  readonly problems: readonly FileProblems[];
  /** What was not looked at, in words. */
  readonly left?: string;
}

/** The problems of a file, also of one that is not in a tab. */
export async function checkFile(
  file: SessionFile,
  session: ToolSession,
  token: CancellationToken,
): Promise<FileProblems> {
  const document = await languageDocument(file, session, token);
  const pulled = isTypescript(document) ? await typescriptProblems(file.path, session, token) : undefined;
  if (!pulled) await problemsSettled([document], session.clock, token);
  return [file, withPublished(document.uri, pulled)];
}

/** The problems of all files of a folder; of the session's folders if there is none. */
export async function checkFolder(
  folder: SessionFile | undefined,
  session: ToolSession,
  token: CancellationToken,
): Promise<Checked> {
  const { clock, scope } = session;
  await wakeServers(session, token);
  const roots = folder ? [folder.path] : scope.roots;
  // A folder may be named by a link.
  const within = folder ? [folder.real] : await Promise.all(roots.map(realRoot));
  const pulled = new Map<string, readonly vscode.Diagnostic[]>();
  const deadline = clock.now() + maxLookMs;
  const uris = await typescriptIn(roots);
  let looked = 0;
  for (const uri of uris.slice(0, maxFiles)) {
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
  const problems: FileProblems[] = [];
  for (const key of known) {
    const uri = vscode.Uri.parse(key);
    const found = withPublished(uri, pulled.get(key));
    const file = found.length > 0 || pulled.has(key) ? await fileOf(uri, scope) : undefined;
    if (file && within.some((root) => isWithin(file.real, root))) problems.push([file, found]);
  }
  const all = uris.length > maxFiles ? `more than ${maxFiles}` : uris.length;
  const left = looked < maxFiles ? 'in time.' : 'at once. Name a folder for the others.';
  return {
    problems,
    ...(looked < uris.length ? { left: `${looked} of ${all} TypeScript files were checked ${left}` } : {}),
  };
}

/** At most one file more than is looked at. */
async function typescriptIn(roots: readonly string[]): Promise<readonly vscode.Uri[]> {
  const found = new Map<string, vscode.Uri>();
  for (const root of roots) {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(root), typescriptFiles);
    for (const uri of await vscode.workspace.findFiles(pattern, '**/node_modules/**', maxFiles + 1))
      if (found.size <= maxFiles) found.set(uri.toString(), uri);
  }
  return [...found.values()];
}

/** The errors of a file, with the text of their lines. */
export async function errorsOf([file, diagnostics]: FileProblems): Promise<readonly Problem[]> {
  if (!diagnostics.some(({ severity }) => severity === vscode.DiagnosticSeverity.Error)) return [];
  const lines = await linesOfFile(file);
  return problemsOf(file.path, diagnostics, (line) => lines?.[line]);
}

/** What was asked for, and what others have published, such as linters. */
function withPublished(
  uri: vscode.Uri,
  pulled: readonly vscode.Diagnostic[] | undefined,
): readonly vscode.Diagnostic[] {
  const published = vscode.languages.getDiagnostics(uri);
  return pulled ? [...pulled, ...published.filter(({ source }) => source !== 'ts' && source !== 'js')] : published;
}
